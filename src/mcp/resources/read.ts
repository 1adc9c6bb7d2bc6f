/**
 * What a resource says. Reading looks at the record like `request_status` inspect: no answer is part of it, so
 * nothing counts as delivered, and nothing can be had here that a tool does not give.
 */
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import type { JournalView, RequestView, SessionView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Address, requestUri } from "./address.ts";
import { machineCards } from "./machine-cards.ts";

/** A request that somebody keeps asking for gathers up to 200 notes; the last rows tell how it stands. */
const mostRows = 60;
const mostTurns = 20;

export async function readResource(
  uri: string,
  address: Address,
  engine: () => Promise<Engine>,
): Promise<ReadResourceResult> {
  switch (address.kind) {
    case "machine": {
      const { machinePicture } = await import("./machine-picture.ts");
      const { mimeType } = machineCards[address.form];
      return { contents: [{ uri, mimeType, text: machinePicture(address.form) }] };
    }
    case "request":
      return json(uri, await requestBody(await engine(), address.id));
    case "session":
      return json(uri, await sessionBody(await engine(), address.idOrName));
  }
}

function json(uri: string, body: object): ReadResourceResult {
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(body, null, 2) }] };
}

async function requestBody(engine: Engine, id: string) {
  const request = await engine.inspect(id);
  const rows = await engine.journal(id);
  return { request: { ...request, next: nextFor(request) }, ...lastRows(rows) };
}

function lastRows(rows: JournalView[]) {
  const left = rows.length - mostRows;
  return left > 0 ? { earlier_rows: left, journal: rows.slice(left) } : { journal: rows };
}

const answered: ReadonlySet<string> = new Set<RequestView["status"]>(["completed", "refused", "incomplete"]);

/** The answer is the tool's to give: only a call says that somebody wanted it, and so counts as delivered. */
function nextFor({ status, request_id, next }: RequestView): string {
  if (!answered.has(status)) return next;
  return `The answer is not shown here. Read it with answers ${JSON.stringify({ action: "read", request_id })}.`;
}

async function sessionBody(engine: Engine, idOrName: string) {
  const session = await engine.session(idOrName);
  const { session_id: sessionId } = session;
  const { requests, next_cursor } = await engine.history({ sessionId, limit: mostTurns });
  return {
    session,
    requests: requests.map((request) => ({ uri: requestUri(request.request_id), ...request })),
    next: nextIn(session, next_cursor),
  };
}

function nextIn({ session_id, active_request_id }: SessionView, before: string | undefined): string {
  const older =
    before === undefined
      ? ""
      : ` Older turns: answers ${JSON.stringify({ action: "history", session_id, before })}.`;
  return active_request_id === undefined
    ? `Continue with chat ${JSON.stringify({ session_id, message: "…" })}.${older}`
    : `Request ${active_request_id} holds this session: request_status ${JSON.stringify({ request_id: active_request_id, action: "inspect" })}.${older}`;
}
