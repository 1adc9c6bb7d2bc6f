import { requestLine } from "../engine/view.ts";
import type { RequestRecord } from "../store/store.ts";
import { type Finding, ok, warn } from "./check.ts";
import { unseen } from "./database.ts";
import type { Sight } from "./stored.ts";
import { counted } from "./words.ts";

const none = "No request waits to be settled.";
const mostShown = 10;

/**
 * Requests that hold their sessions until somebody settles them, each with the call that does or leads to it.
 *
 * @param endpoint mark of the present base URL and key; null where there is no key
 */
export function checkUnresolved(sight: Sight, endpoint: string | null): Finding {
  if (sight.kind !== "seen") return unseen(sight, none);
  const { unresolved } = sight.stored;
  return unresolved.length === 0
    ? ok(none)
    : warn(sentencesOn(unresolved, endpoint).join(" "), callsFor(unresolved).join("\n"));
}

function sentencesOn(unresolved: readonly RequestRecord[], endpoint: string | null): string[] {
  const collectable = unresolved.filter(({ state }) => state === "recovery_required");
  const elsewhere = collectable.filter(
    (request) => endpoint !== null && request.endpoint !== endpoint,
  ).length;
  const undecided = unresolved.length - collectable.length;
  const sentences: [count: number, says: string][] = [
    [
      unresolved.length,
      `${counted(unresolved.length, "request holds its session", "requests hold their sessions")} until settled.`,
    ],
    [collectable.length, `${collectable.length} can be collected without a new generation.`],
    [
      elsewhere,
      `${elsewhere} of these only with the key and base URL it was made with, not the present ones.`,
    ],
    [undecided, `${undecided} may have been billed and must be decided by a person.`],
  ];
  return sentences.flatMap(([count, says]) => (count === 0 ? [] : [says]));
}

function callsFor(unresolved: readonly RequestRecord[]): string[] {
  const calls = unresolved.slice(0, mostShown).map((request) => requestLine(request).next ?? request.id);
  const more = unresolved.length > mostShown ? ["claimcheck list --state unresolved"] : [];
  return ["Have the agent call, for each:", ...calls, ...more];
}
