/** Who is at work on what, and whether they still run. */
import type { RequestRecord } from "../store/store.ts";
import { type Finding, ok, warn } from "./check.ts";
import { unseen } from "./database.ts";
import type { Sight } from "./stored.ts";
import { counted, listed } from "./words.ts";

interface Holder {
  owner: string;
  requests: readonly RequestRecord[];
}

/** @param isGone whether an owner provably no longer runs */
export function checkLeases(sight: Sight, now: number, isGone: (owner: string) => boolean): Finding {
  if (sight.kind !== "seen") return unseen(sight, nobody);
  const holders = holdersIn(sight.stored.live);
  if (holders.length === 0) return ok(nobody);
  const gone = holders.filter(({ owner }) => isGone(owner));
  const silent = holders.filter((holder) => !gone.includes(holder) && isSilent(holder, now));
  const says = `${counted(sight.stored.live.length, "live request")}, held by ${counted(holders.length, "server")}: ${listed(
    holders.map((holder) => `${nameOf(holder)} (${wordFor(holder, gone, silent)})`),
  )}.`;
  const left = [...gone, ...silent].flatMap(({ requests }) => requests);
  return left.length === 0 ? ok(says) : warn(says, takeOver(left));
}

const nobody = "No request is live.";

function holdersIn(live: readonly RequestRecord[]): Holder[] {
  const owners = new Set(live.flatMap(({ owner }) => owner ?? []));
  return [...owners].map((owner) => ({ owner, requests: live.filter((request) => request.owner === owner) }));
}

function isSilent({ requests }: Holder, now: number): boolean {
  return requests.every(({ leaseUntil }) => leaseUntil !== null && leaseUntil < now);
}

/** An owner names its machine first, then its process; see `processIdentity`. */
const nameOf = ({ owner }: Holder) => `process ${owner.split("|")[1] ?? "?"}`;

function wordFor(holder: Holder, gone: readonly Holder[], silent: readonly Holder[]): string {
  if (gone.includes(holder)) return "no longer runs";
  return silent.includes(holder) ? "silent for longer than its lease" : "at work";
}

function takeOver(left: readonly RequestRecord[]): string {
  const first = left[0]?.id ?? "";
  return [
    "Nothing is lost by it: any server takes over when it next looks, and so does this call:",
    `answers ${JSON.stringify({ action: "wait", request_id: first })}`,
  ].join("\n");
}
