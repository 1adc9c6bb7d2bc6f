/** Inbox, history and lists: records without their answers. */
import { finalStates, liveStates, type RequestState, unresolvedStates } from "../../machines/states.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import type { HistoryView, InboxView, RequestLine } from "../contract/views.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Leases } from "./leases.ts";
import { requestLine } from "./view.ts";

interface RequestsPage {
  requests: RequestLine[];
  next_cursor?: string;
}

export interface Lists {
  inbox(query: { sessionId?: string; limit: number }): Promise<InboxView>;
  history(query: { sessionId: string; limit: number; before?: string | undefined }): Promise<HistoryView>;
  requests(query: {
    states?: readonly RequestState[];
    sessionId?: string;
    limit: number;
    before?: string | undefined;
  }): Promise<RequestsPage>;
}

export function createLists({ store, leases }: { store: Store; leases: Leases }): Lists {
  async function inbox({ sessionId, limit }: { sessionId?: string; limit: number }): Promise<InboxView> {
    await leases.sweep();
    const only = sessionId === undefined ? {} : { sessionId };
    const [attention, running, unread] = await Promise.all([
      store.requests({ ...only, states: unresolvedStates, limit }),
      store.requests({ ...only, states: liveStates, limit }),
      store.requests({ ...only, states: finalStates, undelivered: true, limit }),
    ]);
    return {
      unread: unread.map(requestLine),
      running: running.map(requestLine),
      attention: attention.map(requestLine),
      next: inboxNext(attention, unread, running),
    };
  }

  async function requests({ before, ...query }: Parameters<Lists["requests"]>[0]): Promise<RequestsPage> {
    await leases.sweep();
    const rows = await store.requests({
      ...query,
      limit: query.limit + 1,
      ...(before !== undefined && { before: readCursor(before) }),
    });
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      requests: page.map(requestLine),
      ...(rows.length > page.length && last && { next_cursor: cursorOf(last) }),
    };
  }

  return {
    inbox,
    requests,
    async history({ sessionId, ...page }) {
      return { session_id: sessionId, ...(await requests({ sessionId, ...page })) };
    },
  };
}

function inboxNext(attention: RequestRecord[], unread: RequestRecord[], running: RequestRecord[]): string {
  const lost = attention[0];
  if (lost) return `${lost.id} needs attention first: see its own next step.`;
  const first = unread[0] ?? running[0];
  if (!first) return "Nothing is waiting for you.";
  const action = unread.length > 0 ? "read" : "wait";
  return `answers ${JSON.stringify({ action, request_id: first.id })}`;
}

const cursorOf = ({ createdAt, id }: RequestRecord) => `${createdAt}.${id}`;

function readCursor(cursor: string): { createdAt: number; id: string } {
  const [createdAt, id] = cursor.split(".");
  if (createdAt && id && /^\d+$/.test(createdAt)) return { createdAt: Number(createdAt), id };
  throw new ClaimcheckError(
    "invalid_arguments",
    "`before` is not a cursor. Pass next_cursor of the page before, unchanged.",
    {
      details: { fields: ["before"] },
    },
  );
}
