/** What there is to say of providers but OpenAI's, which is looked at more closely. */
import type { Config } from "../config.ts";
import { type Finding, fail, ok, skip } from "./check.ts";

interface About {
  key: Finding;
  model: Finding;
  "base url": Finding;
  upstream: Finding;
  retrieve: Finding;
  background: Finding;
}

/** Undefined for OpenAI, which is looked at more closely. */
export function aboutOther({ provider, ollama, anthropic }: Config): About | undefined {
  switch (provider) {
    case "openai":
      return undefined;
    case "ollama":
      return {
        ...withoutMemory("ollama"),
        model: modelOf("OLLAMA_MODEL", ollama.model),
        "base url": ok(`${ollama.baseUrl}, with a context of ${ollama.numCtx} tokens.`),
      };
    case "anthropic":
      return {
        ...withoutMemory("anthropic"),
        key:
          anthropic.apiKey === null
            ? fail(
                "ANTHROPIC_API_KEY is not set here, and the server does not start without it.",
                "Let the host pass it on.",
              )
            : ok("ANTHROPIC_API_KEY is set."),
        model: modelOf("ANTHROPIC_MODEL", anthropic.model),
        "base url": ok(`${anthropic.baseUrl}.`),
      };
    case "manual":
      return {
        ...withoutMemory("manual"),
        model: ok("A person answers, with whatever they like to ask."),
        "base url": ok("Nothing is sent: the prompt is shown to a person."),
      };
  }
}

function modelOf(variable: string, model: string | null): Finding {
  return ok(
    model === null
      ? `${variable} is not set: each call or its session names a model.`
      : `${model}, unless a call or its session names another.`,
  );
}

function withoutMemory(provider: string) {
  return {
    key: ok(`The provider ${provider} needs no key.`),
    upstream: skip("Not asked: only OpenAI's API is probed."),
    retrieve: skip(`${provider} keeps no answers: what is cut off is an unknown outcome.`),
    background: skip(`${provider} does not work on without a connection.`),
  };
}
