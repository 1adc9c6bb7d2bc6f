/**
 * Asks upstream three harmless things: for a response that cannot exist, for a path that does not, and for its
 * models. Nothing is generated, no redirect is followed, and what it says is looked at here and not handed on.
 */
import type { Config } from "../config.ts";

const patienceMs = 5_000;
const longestBody = 4 * 1_024 * 1_024;

/** As long as real ones, so that it is looked for and not refused for its shape. */
const noSuchResponse = `resp_${"0".repeat(48)}`;
const noSuchPath = "claimcheck-doctor-no-such-path";

export type Answer = Reply | Fault;

export interface Reply {
  kind: "reply";
  status: number;
  body: "page" | "text" | { json: unknown };
  /** Its Date header in ms since 1970. */
  date: number | null;
  at: number;
  /** Scheme and host it sends us to. */
  redirect: string | null;
}

export interface Fault {
  kind: "fault";
  /** Node's or the system's name for it, such as `ECONNREFUSED`. */
  code: string;
}

export interface Upstream {
  response: Answer;
  /** Null where the first answer told all there is to tell. */
  nowhere: Answer | null;
  models: Answer | null;
}

export async function askUpstream(openai: Config["openai"], now: () => number): Promise<Upstream> {
  const ask = (path: string) => answerOf(`${openai.baseUrl}/${path}`, headersFor(openai), now);
  const response = await ask(`responses/${noSuchResponse}`);
  if (!isFromAnApi(response)) return { response, nowhere: null, models: null };
  const [nowhere, models] = await Promise.all([
    ask(`responses/${noSuchResponse}/${noSuchPath}`),
    ask("models"),
  ]);
  return { response, nowhere, models };
}

/** Whether asking further can tell anything: something that speaks JSON, and does not refuse the key. */
function isFromAnApi(answer: Answer): answer is Reply {
  return (
    answer.kind === "reply" &&
    answer.redirect === null &&
    answer.status !== 401 &&
    typeof answer.body === "object"
  );
}

function headersFor({ apiKey, organization, project }: Config["openai"]): Record<string, string> {
  return {
    accept: "application/json",
    authorization: `Bearer ${apiKey}`,
    ...(organization !== null && { "openai-organization": organization }),
    ...(project !== null && { "openai-project": project }),
  };
}

async function answerOf(url: string, headers: Record<string, string>, now: () => number): Promise<Answer> {
  try {
    const reply = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(patienceMs) });
    const at = now();
    const date = Date.parse(reply.headers.get("date") ?? "");
    return {
      kind: "reply",
      status: reply.status,
      body: bodyOf(await textOf(reply)),
      date: Number.isNaN(date) ? null : date,
      at,
      redirect: redirectOf(reply, url),
    };
  } catch (error) {
    return { kind: "fault", code: codeIn(error) };
  }
}

function redirectOf({ status, headers }: Response, from: string): string | null {
  if (status < 300 || status > 399 || status === 304) return null;
  const to = headers.get("location") ?? "";
  return URL.canParse(to, from) ? new URL(to, from).origin : "somewhere that is no URL";
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > longestBody) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function bodyOf(text: string): Reply["body"] {
  if (/^\s*<(!doctype|html)/i.test(text)) return "page";
  try {
    return { json: JSON.parse(text) };
  } catch {
    return "text";
  }
}

/** `fetch` wraps the system's error, and that one may hold others, one an address. */
function codeIn(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "ETIMEDOUT";
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if ("code" in error && typeof error.code === "string") return error.code;
  return inner === undefined ? error.name : codeIn(inner);
}
