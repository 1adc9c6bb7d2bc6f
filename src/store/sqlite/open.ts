import type { Store } from "../store.ts";
import { claimNow, foundClaim } from "./claim.ts";
import { commitNow, foundCommit } from "./commit.ts";
import { configureNow } from "./configure-session.ts";
import type { Connection } from "./connection.ts";
import { type DatabaseOptions, openDatabase } from "./database.ts";
import { deleteNow } from "./delete-session.ts";
import { readDigestKey } from "./digest-key.ts";
import { findMatch } from "./equal-call.ts";
import { insertNote, readJournal } from "./journal.ts";
import { countReplay, readLedger } from "./ledger.ts";
import { readPastTurns, readQuestion } from "./questions.ts";
import { renewLease } from "./renew.ts";
import { deliverRequest, findRequest, listRequests } from "./requests.ts";
import { readResult } from "./results.ts";
import { retainNow } from "./retain.ts";
import { findSession, listSessions } from "./session-overview.ts";
import { statementsOf } from "./statements.ts";
import { readTotals } from "./totals.ts";
import { createWatch } from "./watch.ts";

export type SqliteStoreOptions = Pick<DatabaseOptions, "file"> & Partial<DatabaseOptions>;

const defaults = { busyMs: 100, patienceMs: 10_000 };
const watchEveryMs = 100;

/**
 * Opens the store on an SQLite file that several processes may share; makes the file and its directory where
 * they are missing.
 *
 * @throws {ClaimcheckError} `storage_unavailable`, `storage_corrupt`, `storage_newer` or `storage_full`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const database = await openDatabase({ ...defaults, ...options });
  const digestKey = await database.read((connection) => readDigestKey(connection, options.file));
  const watch = createWatch(() => database.peek(dataVersion), watchEveryMs);

  /** Tells listeners of what was written; a refusal that told them would wake the very caller it refused. */
  async function announced<T>(
    written: Promise<T>,
    changed: (outcome: T) => boolean = () => true,
  ): Promise<T> {
    const outcome = await written;
    if (changed(outcome)) watch.announce();
    return outcome;
  }

  return {
    digestKey,
    match: (call) => database.read((connection) => findMatch(connection, call)),
    claim: (claim) =>
      announced(
        database.fenced(
          "claim",
          (connection) => claimNow(connection, claim),
          (connection) => foundClaim(connection, claim),
          claim.patienceMs,
        ),
        ({ kind }) => kind === "claimed",
      ),
    commit: (commit) =>
      announced(
        database.fenced(
          "commit",
          (connection) => commitNow(connection, commit),
          (connection, cause) => foundCommit(connection, commit, cause),
        ),
        ({ kind }) => kind === "committed",
      ),
    renew: async (owner, held, until) => {
      if (held.length === 0) return [];
      return database.relaxed("renew", (connection) =>
        held.map((one) => renewLease(connection, owner, one, until)),
      );
    },
    note: (id, note) => announced(database.fenced("note", (connection) => insertNote(connection, id, note))),
    load: (id) => database.read((connection) => findRequest(connection, id)),
    result: (id) => database.read((connection) => readResult(connection, id)),
    ledger: (query) => database.read((connection) => readLedger(connection, query)),
    countReplay: (id) => database.relaxed("deliver", (connection) => countReplay(connection, id)),
    question: (id) => database.read((connection) => readQuestion(connection, id)),
    pastTurns: (sessionId) => database.read((connection) => readPastTurns(connection, sessionId)),
    journal: (id) => database.read((connection) => readJournal(connection, id)),
    requests: (query) => database.read((connection) => listRequests(connection, query)),
    // A read mark that power loss takes back shows an answer once more as unread.
    markDelivered: (id, at) =>
      announced(database.relaxed("deliver", (connection) => deliverRequest(connection, id, at))),
    session: (idOrName) => database.read((connection) => findSession(connection, idOrName)),
    sessions: ({ after, limit }) => database.read((connection) => listSessions(connection, after, limit)),
    configureSession: (id, change, at, limits) =>
      announced(
        database.fenced("configure", (connection) => configureNow(connection, id, change, at, limits)),
        ({ kind }) => kind === "done",
      ),
    deleteSession: (id) =>
      announced(
        database.fenced("delete", (connection) => deleteNow(connection, id)),
        ({ kind }) => kind === "done",
      ),
    retain: (order) =>
      announced(
        database.fenced("retain", (connection) => retainNow(connection, order)),
        (touched) => touched > 0,
      ),
    totals: () => database.read(readTotals),
    watch: watch.listen,
    close: async () => {
      watch.close();
      database.close();
    },
  };
}

/** Moves when another connection wrote. Not a query: it reads a counter in shared memory. */
function dataVersion(connection: Connection): number {
  return Number(dataVersionOf(connection).get());
}

const dataVersionOf = statementsOf(({ client }) => client.prepare("PRAGMA data_version").pluck());
