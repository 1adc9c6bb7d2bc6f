import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedRequest } from "../ledger.ts";
import { type ApiError, missingKey, Rejection } from "../model/api-error.ts";
import { newId } from "../model/id.ts";

/** One HTTP exchange. */
export interface Call {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly record: RecordedRequest;
  /** Aborted when the connection is gone, whoever closed it. */
  readonly gone: AbortSignal;
}

const TELLING_HEADERS = [
  "accept",
  "accept-encoding",
  "content-type",
  "idempotency-key",
  "openai-organization",
  "openai-project",
  "user-agent",
  "x-client-request-id",
  "x-stainless-retry-count",
];

export function openCall(incoming: IncomingMessage, outgoing: ServerResponse, at: number): Call {
  const url = urlOf(incoming);
  const record: RecordedRequest = {
    method: incoming.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: tellingHeaders(incoming),
    authorized: isAuthorized(incoming),
    at,
    eventsSent: 0,
  };
  return { incoming, outgoing, url, record, gone: watchConnection(outgoing, record) };
}

/** Whatever is not a path is none that we serve. */
function urlOf({ url = "" }: IncomingMessage): URL {
  const whole = `http://loopback${url}`;
  return new URL(url.startsWith("/") && URL.canParse(whole) ? whole : "http://loopback/");
}

function tellingHeaders({ headers }: IncomingMessage): Record<string, string> {
  const present = TELLING_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(present);
}

function isAuthorized({ headers }: IncomingMessage): boolean {
  return /^Bearer \S+$/i.test(headers.authorization ?? "");
}

function watchConnection(outgoing: ServerResponse, record: RecordedRequest): AbortSignal {
  const gone = new AbortController();
  // A write to a connection that has just gone is no error of ours.
  outgoing.on("error", () => {});
  outgoing.on("close", () => {
    record.ended ??= outgoing.writableFinished ? "answered" : "left";
    gone.abort();
  });
  return gone.signal;
}

/** @throws Rejection (401) without a bearer key; any key will do */
export function requireKey(call: Call): void {
  if (!call.record.authorized) throw new Rejection(missingKey());
}

/** The headers of every reply that the API itself makes. */
export function apiHeaders(): Record<string, string> {
  return { "x-request-id": newId("req"), "openai-version": "2020-10-01", "openai-processing-ms": "7" };
}

export function replyJson(
  call: Call,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  reply(call, status, "application/json", JSON.stringify(body), { ...apiHeaders(), ...headers });
}

export function replyError(call: Call, error: ApiError, headers: Record<string, string> = {}): void {
  const { status, message, type, param, code } = error;
  replyJson(call, status, { error: { message, type, param, code } }, headers);
}

export function reply(
  call: Call,
  status: number,
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  call.record.status = status;
  call.outgoing.writeHead(status, { "content-type": contentType, ...headers });
  call.outgoing.end(body);
}

/** Breaks the connection off: `fin` closes it as a dying process would, `reset` as a failing network. */
export async function breakOff(call: Call, how: "fin" | "reset", graceMs = 0): Promise<void> {
  call.record.ended = "cut";
  if (graceMs > 0) await sleep(graceMs);
  const { socket } = call.incoming;
  if (how === "fin") socket.end();
  else socket.resetAndDestroy();
}
