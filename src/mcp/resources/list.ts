/**
 * The resources a picker can use: the machine, then what was asked lately. Hosts fetch every page when they connect,
 * so the list ends at the newest hundred requests; whatever is older is reached by its template.
 */
import type { ListResourcesResult, Resource } from "@modelcontextprotocol/server";
import { stateCards } from "../../../machines/states.ts";
import { ClaimcheckError } from "../../contract/errors.ts";
import type { RequestLine, SessionView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { requestUri, sessionUri } from "./address.ts";
import { machineResources } from "./machine-cards.ts";

const mostRequests = 100;
const requestsOnPage = 20;

/**
 * One page. A cursor is the last request of the page before: requests keep their order, so nothing is shown twice
 * when new ones come in between. Each session stands before the newest of its requests.
 */
export async function resourcePage(engine: Engine, cursor?: string): Promise<ListResourcesResult> {
  const { requests } = await engine.requests({ limit: mostRequests });
  const from = cursor === undefined ? 0 : placeAfter(cursor, requests);
  const page = requests.slice(from, from + requestsOnPage);
  const entries = await Promise.all(page.map((line) => entriesFor(engine, line, requests)));
  const last = page.at(-1);
  const more = last !== undefined && from + page.length < requests.length;
  return {
    resources: [...(cursor === undefined ? machineResources : []), ...entries.flat()],
    ...(more && { nextCursor: last.request_id }),
  };
}

/** The list moved on past what the cursor names: the end is reached. */
function placeAfter(cursor: string, requests: readonly RequestLine[]): number {
  const place = requests.findIndex(({ request_id }) => request_id === cursor);
  return place === -1 ? requests.length : place + 1;
}

async function entriesFor(
  engine: Engine,
  line: RequestLine,
  all: readonly RequestLine[],
): Promise<Resource[]> {
  const newest = all.find(({ session_id }) => session_id === line.session_id);
  const session = newest === line ? await sessionOf(engine, line.session_id) : undefined;
  return [...(session === undefined ? [] : [sessionEntry(session)]), requestEntry(line)];
}

/** It may have been deleted since the requests were listed. */
async function sessionOf(engine: Engine, id: string): Promise<SessionView | undefined> {
  return engine.session(id).catch((error: unknown) => {
    if (error instanceof ClaimcheckError && error.code === "unknown_session") return undefined;
    throw error;
  });
}

function requestEntry(line: RequestLine): Resource {
  const { request_id, session_id, status, requested_model, turn, created_at, updated_at } = line;
  return {
    uri: requestUri(request_id),
    name: request_id,
    title: `${stateCards[status].glyph} ${status} · ${requested_model} · ${minuteOf(created_at)}`,
    description: `${stateCards[status].sentence} Turn ${turn} of session ${session_id}.`,
    mimeType: "application/json",
    annotations: { lastModified: updated_at },
  };
}

function sessionEntry({ session_id, name, counts, provider, updated_at }: SessionView): Resource {
  return {
    uri: sessionUri(session_id),
    name: session_id,
    title: `Session ${name ?? session_id}`,
    description: `A conversation with ${provider}: ${counts.requests} ${counts.requests === 1 ? "request" : "requests"}, ${counts.unresolved} unresolved.`,
    mimeType: "application/json",
    annotations: { lastModified: updated_at },
  };
}

/** `2026-11-30 14:05 UTC` */
function minuteOf(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
