/** A short text that is another one when what a resource says has changed. */
import { ClaimcheckError } from "../../contract/errors.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Address, addressOf } from "./address.ts";

/** Undefined while the store cannot be looked at. */
export async function markOf(engine: () => Promise<Engine>, uri: string): Promise<string | undefined> {
  const address = addressOf(uri);
  if (address === undefined) return undefined;
  try {
    return await read(await engine(), address);
  } catch (error) {
    return isGone(error) ? "gone" : undefined;
  }
}

async function read(engine: Engine, address: Address): Promise<string> {
  switch (address.kind) {
    case "machine":
      return "fixed";
    case "request": {
      // Every change of a request is a row of its journal. What a view says beside it (how long it has taken, who is
      // collecting) is no news to those who follow it.
      const last = (await engine.journal(address.id)).at(-1);
      return `${last?.seq}.${last?.note}`;
    }
    case "session": {
      const session = await engine.session(address.idOrName);
      return JSON.stringify([session, await engine.history({ sessionId: session.session_id, limit: 20 })]);
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ClaimcheckError && goneCodes.has(error.code);
}

const goneCodes: ReadonlySet<string> = new Set(["unknown_request", "unknown_session"]);
