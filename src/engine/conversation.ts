/** The conversation so far, for providers that keep none themselves. It goes whole or not at all. */
import { ClaimcheckError } from "../contract/errors.ts";
import type { Turn } from "../providers/provider.ts";
import type { PastTurn, SessionOverview, Store } from "../store/store.ts";

/** @throws {ClaimcheckError} `context_missing` where a turn of it is no longer here */
export async function conversationOf(store: Store, session: SessionOverview | null): Promise<Turn[]> {
  if (session === null) return [];
  const turns = await store.pastTurns(session.id);
  return turns.map((turn) => asTurn(turn) ?? missing(session, turns));
}

/** Null where a part of it is not kept: left out, pruned, or cut at the result limit. */
function asTurn({ message, outcome }: PastTurn): Turn | null {
  if (message === null || outcome === null || outcome.truncated) return null;
  return { message, answer: outcome.refusal ?? outcome.text };
}

function missing(session: SessionOverview, turns: readonly PastTurn[]): never {
  const gone = turns.filter((turn) => asTurn(turn) === null);
  throw new ClaimcheckError(
    "context_missing",
    `The provider ${session.provider} keeps no conversation, and of this session's ${turns.length} turns ${gone.length} are not kept whole here (CLAIMCHECK_TRANSCRIPTS, retention, or an answer above the result limit). Nothing was sent. Start a new session and give the context in the message.`,
    { details: { session_id: session.id, requests: gone.slice(0, 10).map(({ requestId }) => requestId) } },
  );
}

/** What it takes of the input limit, as UTF-8. */
export function conversationBytes(conversation: readonly Turn[]): number {
  return conversation.reduce((bytes, { message, answer }) => bytes + bytesOf(message) + bytesOf(answer), 0);
}

const bytesOf = (text: string) => Buffer.byteLength(text);
