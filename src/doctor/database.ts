import { basename } from "node:path";
import { type Finding, fail, ok, skip, warn } from "./check.ts";
import type { Holders } from "./locks.ts";
import { obstacleTo, whyNot } from "./place.ts";
import type { Sight, Stored } from "./stored.ts";
import { counted, elsewhere, listed, sized } from "./words.ts";

export function checkDatabase(file: string, sight: Sight, holders: Holders): Finding {
  if (sight.kind === "unasked") return skip(`Not looked at. ${sight.why}`);
  if (sight.kind === "absent") return ok(`${basename(file)} is not there yet; the first call makes it.`);
  if (holders.blocking !== null) return heldUp(file, holders.blocking);
  if (sight.kind === "untouched") return skip(`Not looked at. ${sight.why}`);
  if (sight.kind === "closed") return split(sight.error.message);
  const obstacle = obstacleTo(file, "file");
  if (obstacle !== null) return readOnly(file, obstacle);
  if (sight.kind === "empty") return ok(`${basename(file)} is empty; the first call furnishes it.`);
  if (sight.kind === "older")
    return ok(`${basename(file)} is of an older claimcheck; the next start brings it up to date.`);
  if (sight.stored.newer > 0) return newerRequests(file, sight.stored.newer);
  return ok(`${basename(file)} is sound: ${contentsOf(sight.stored)}. ${usersOf(holders)}`.trim());
}

/** The store's messages say what is wrong in their first sentence and what to do after it. */
function split(message: string): Finding {
  const [says = "", ...next] = message.split(/(?<=\.) (?=[A-Z])/);
  return { verdict: "fail", says, ...(next.length > 0 && { next: next.join(" ") }) };
}

function readOnly(file: string, obstacle: string): Finding {
  return fail(
    `${file} can be read and not written (${whyNot(obstacle)}): nothing can be claimed.`,
    `Make it writable for this user, or ${elsewhere}.`,
  );
}

function newerRequests(file: string, count: number): Finding {
  return warn(
    `${basename(file)} is sound, and ${counted(count, "unfinished request")} in it ${count === 1 ? "is" : "are"} of a newer claimcheck, which this one leaves alone.`,
    "Upgrade claimcheck to go on with them.",
  );
}

function heldUp(file: string, pid: number): Finding {
  return fail(
    `Process ${pid} has kept ${file} locked for over a second, where milliseconds are usual: nothing can be claimed meanwhile.`,
    `Wait a little and ask again; if it stays so, see what process ${pid} is and end it.`,
  );
}

function contentsOf({ totals, bytes, wal }: Stored): string {
  const mode = wal ? "WAL mode" : "not in WAL mode until the next start";
  return `${counted(totals.requests, "request")} in ${counted(totals.sessions, "session")}, ${sized(bytes)}, ${mode}`;
}

function usersOf({ open }: Holders): string {
  if (open.length === 0) return "";
  return `Open in ${open.length === 1 ? "process" : "processes"} ${listed(open.map(String))}.`;
}

/**
 * Said by the checks that ask what is stored, where that was not read.
 *
 * @param nothing what they say where nothing is stored
 */
export function unseen({ kind }: Exclude<Sight, { kind: "seen" }>, nothing: string): Finding {
  switch (kind) {
    case "absent":
    case "empty":
      return ok(nothing);
    case "older":
      return skip("Told once the database is up to date.");
    case "closed":
    case "unasked":
    case "untouched":
      return skip("Cannot be told while the database cannot be read.");
  }
}
