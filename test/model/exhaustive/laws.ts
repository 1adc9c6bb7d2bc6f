/** What holds in every world and in every step, whoever dies, sleeps or comes late. */
import { authorityOf, placeAt } from "./decisions.ts";
import type { Step, World, Write } from "./world.ts";

export type Law = string;

/** The first law that a world breaks by itself. */
export function brokenIn({ row, upstream }: World): Law | null {
  if (upstream.begun > 1) return "at most one generation begins";
  if (upstream.posts > (row?.intents ?? 0)) return "no call goes out before its intent is stored";
  if (row === null) return null;
  const { state } = placeAt(row.snapshot);
  if (row.advances > 1) return "the session moves on at most once";
  if (row.advances === 1 && state !== "completed" && state !== "refused")
    return "the session moves on with an answer only";
  // That upstream itself called it failed is no step of this model, so whatever began has an answer somewhere.
  if (state === "failed" && upstream.begun > 0 && upstream.response !== "forgotten")
    return "what was begun is never told as failed";
  return null;
}

/** The first law that a step breaks. */
export function brokenBy({ wrote }: Step): Law | null {
  if (wrote === null || wrote.before === null) return null;
  return brokenByWrite(wrote, wrote.before);
}

function brokenByWrite(
  { writer, happening, before, after, seen, ownerAlive }: Write,
  row: NonNullable<Write["before"]>,
): Law | null {
  const [was, is] = [placeAt(row.snapshot), placeAt(after.snapshot)];
  if (was.final) return "nothing moves a settled request";
  if (happening === "ownerLost" && !row.lapsed && ownerAlive)
    return "nobody takes over from an owner that renewed its lease";
  if (happening !== "claim" && authorityOf(happening) === "owner" && row.owner !== writer)
    return "only the owner writes as the owner";
  if (seen?.version !== row.version) return "nothing is decided on what is no longer so";
  if (after.version !== row.version + 1) return "every version is written once";
  if (was.responseId !== null && is.responseId !== was.responseId) return "a response id is never lost";
  return before === after ? "a write writes" : null;
}
