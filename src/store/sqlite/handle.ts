import { ClaimcheckError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";

/** A connection that is opened when it is needed, and again after it was dropped. */
export interface Handle {
  get(): Connection;
  drop(): void;
  close(): void;
}

export function createHandle(open: () => Connection, first?: Connection): Handle {
  let connection = first;
  let closed = false;

  function drop() {
    connection?.client.close();
    connection = undefined;
  }

  return {
    get() {
      if (closed) throw closing();
      connection ??= open();
      return connection;
    },
    drop,
    close() {
      closed = true;
      drop();
    },
  };
}

function closing() {
  const message =
    "claimcheck is shutting down; nothing was written. Start it again: what was claimed before can be collected by its request_id.";
  return new ClaimcheckError("shutting_down", message);
}
