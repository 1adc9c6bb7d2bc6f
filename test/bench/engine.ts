/** The engine and the bare SDK, side by side on the same upstream. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import OpenAI from "openai";
import { Agent, fetch as undiciFetch } from "undici";
import { createEngine, createOpenAIProvider, openSqliteStore } from "../../src/index.ts";
import { aClaim, accepted, anAnswer, claimed, completed, lived, wide } from "../store/life.ts";
import { testKey } from "../support/stdio.ts";
import type { Subject } from "./measure.ts";

const limits = { textBytes: 524_288, eventBytes: 8_388_608 };
const message = "How long is a piece of string?";

export async function openSubjects(directory: string, baseUrl: string) {
  const store = await openSqliteStore({ file: join(directory, "bench", "claimcheck.db") });
  const provider = createOpenAIProvider({
    apiKey: testKey,
    baseUrl,
    firstByteMs: 60_000,
    idleMs: 60_000,
    limits,
  });
  const engine = createEngine({
    store,
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "gpt-bench" },
  });
  const sdk = new OpenAI({ apiKey: testKey, baseURL: baseUrl, maxRetries: 0, logLevel: "off" });

  function ask(requestId: string) {
    const callerArguments = { message, request_id: requestId };
    return engine.ask(
      { tool: "chat", callerArguments, requestId, message, settings: {} },
      { budgetMs: 30_000 },
    );
  }

  const overEngine: Subject = {
    name: "engine",
    async once() {
      const view = await ask(randomUUID());
      if (view.status !== "completed") throw new Error(`the engine's request ended ${view.status}`);
      return undefined;
    },
  };

  /** A client whose every call opens a connection of its own, as a paid call does. */
  const fresh = new OpenAI({
    apiKey: testKey,
    baseURL: baseUrl,
    maxRetries: 0,
    logLevel: "off",
    fetch: undiciFetch as unknown as typeof fetch,
    fetchOptions: { dispatcher: new Agent({ pipelining: 0 }) } as object,
  });

  /** The three commits of a request, by themselves. */
  const commits: Subject = {
    name: "commits",
    async once() {
      const responseId = `resp_${randomUUID()}`;
      const record = await claimed(store, aClaim({ limits: { ...wide, sessions: 1e6, requests: 1e6 } }));
      await lived(store, record, accepted(responseId), completed(anAnswer(responseId)));
      return undefined;
    },
  };

  return {
    engine: overEngine,
    sdk: overSdk("sdk", sdk),
    freshSdk: overSdk("sdk on fresh connections", fresh),
    commits,
    async replaysPerSecond() {
      const id = randomUUID();
      await ask(id);
      const started = performance.now();
      const times = 2_000;
      for (let i = 0; i < times; i += 1) await ask(id);
      return (times * 1_000) / (performance.now() - started);
    },
    async close() {
      await engine.close(0);
      await store.close();
    },
  };
}

function overSdk(name: string, sdk: OpenAI): Subject {
  return {
    name,
    async once() {
      const stream = await sdk.responses.create({
        model: "gpt-bench",
        input: message,
        stream: true,
        store: true,
        background: true,
        max_output_tokens: 8_192,
      });
      let completed = false;
      for await (const event of stream) completed ||= event.type === "response.completed";
      if (!completed) throw new Error("the SDK's stream did not complete");
      return undefined;
    },
  };
}
