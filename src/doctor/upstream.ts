/** What may be concluded from what upstream answered, and no more than that. */
import type { Config } from "../config.ts";
import type { Answer, Fault, Reply, Upstream } from "./ask-upstream.ts";
import { type Finding, fail, ok, skip, warn } from "./check.ts";

const next = {
  network: "Check the network, OPENAI_BASE_URL and any firewall in between.",
  address: "Check OPENAI_BASE_URL; it ends in /v1 for most.",
  key: "Check OPENAI_API_KEY, its project and its permissions.",
  later: "Ask again later.",
};

/** Whether upstream is there and takes the key. */
export function checkUpstream({ response }: Upstream, { baseUrl }: Config["openai"]): Finding {
  const host = new URL(baseUrl).host;
  if (response.kind === "fault")
    return fail(`${host} cannot be reached: ${wordsFor(response)}.`, next.network);
  const { status, redirect, body } = response;
  if (redirect !== null)
    return fail(`${host} sends on to ${redirect} (${status}); the key was not sent there.`, next.address);
  if (status === 401) return fail(`${host} refuses the key (401).`, next.key);
  if (status === 429) return warn(`${host} answers, and limits requests at the moment (429).`, next.later);
  if (status >= 500) return warn(`${host} answers, and is in trouble (${status}).`, next.later);
  if (body === "page")
    return fail(`${host} answers with a web page (${status}): this is no API.`, next.address);
  if (status === 403) return warn(`${host} forbids this key to look at responses (403).`, next.key);
  if (envelopeIn(response) !== null)
    return ok(
      `${host} answers as an API does, and does not refuse the key (concluded from a ${status} in the API's form).`,
    );
  return warn(`${host} answers (${status}), and whether that is an API cannot be told.`, next.address);
}

function wordsFor({ code }: Fault): string {
  const known: Record<string, string> = {
    ENOTFOUND: "its name is not known",
    EAI_AGAIN: "names cannot be looked up at the moment",
    ECONNREFUSED: "nothing listens there",
    ECONNRESET: "it hangs up",
    UND_ERR_SOCKET: "it hangs up",
    ETIMEDOUT: "no answer within 5 s",
    UND_ERR_CONNECT_TIMEOUT: "no answer within 5 s",
    ENETUNREACH: "there is no way to its network",
    EHOSTUNREACH: "there is no way to it",
    DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
    SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
    CERT_HAS_EXPIRED: "its certificate has expired",
    ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another host's",
  };
  const words = known[code];
  return words === undefined ? code : `${words} (${code})`;
}

/**
 * Whether answers can be asked for by id. A 404 in the API's envelope is not enough: many APIs say the same of every
 * path they do not know. So it must differ from what is said of a path that cannot be.
 */
export function checkRetrieve({ response, nowhere }: Upstream): Finding {
  const [asked, control] = [refusalIn(response), nowhere === null ? null : refusalIn(nowhere)];
  if (asked === null || nowhere?.kind !== "reply") return skip("Cannot be told from its answer.");
  if (asked === control)
    return skip("Cannot be told: it says the same of a response that is not there as of a path that is not.");
  return ok("Responses can be looked up by id: one that is not there was told from a path that is not.");
}

/** What is refused and how, without the path and the id, which differ anyway. */
function refusalIn(answer: Answer): string | null {
  if (answer.kind === "fault" || ![400, 404].includes(answer.status)) return null;
  const envelope = envelopeIn(answer);
  if (envelope === null) return null;
  const { message, type, code } = envelope;
  const bare = typeof message === "string" ? message.replace(/[/\w]*\/?resp_0+[/\w-]*/g, "") : null;
  return JSON.stringify([answer.status, bare, type, code]);
}

/** `{"error": {…}}`, as the API refuses things. */
function envelopeIn({ body }: Reply): Record<string, unknown> | null {
  if (typeof body !== "object" || !isRecord(body.json)) return null;
  const { error } = body.json;
  return isRecord(error) ? error : null;
}

/** Names of the models upstream lists; null where it gave no list. */
export function modelsIn(models: Answer | null): readonly string[] | null {
  if (models?.kind !== "reply" || models.status !== 200 || typeof models.body !== "object") return null;
  const list = isRecord(models.body.json) ? models.body.json["data"] : null;
  if (!Array.isArray(list)) return null;
  return list.flatMap((model: unknown) =>
    isRecord(model) && typeof model["id"] === "string" ? [model["id"]] : [],
  );
}

export function clockOf({ response }: Upstream): { says: number; at: number } | null {
  return response.kind === "reply" && response.date !== null
    ? { says: response.date, at: response.at }
    : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
