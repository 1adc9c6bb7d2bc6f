import { duration } from "../chart/rail.ts";
import { type Finding, ok, warn } from "./check.ts";
import type { Sight } from "./stored.ts";

/** Clocks of machines in order are closer than this. */
const toleranceMs = 60_000;

const setIt = "Set the clock. Nothing is lost by it, but times of leases, retention and lists are off.";

/** @param upstreamAt what upstream's Date header said, and when; null where it was not asked */
export function checkClock(
  sight: Sight,
  now: number,
  upstream: { says: number; at: number } | null,
): Finding {
  const here = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const lastAt = sight.kind === "seen" ? sight.stored.lastAt : null;
  if (lastAt !== null && lastAt - now > toleranceMs)
    return warn(
      `${here}, and the newest entry is ${duration(lastAt - now)} in the future: the clock was set back, or another machine wrote it.`,
      setIt,
    );
  const apart = upstream === null ? 0 : upstream.at - upstream.says;
  if (Math.abs(apart) > toleranceMs)
    return warn(
      `${here}, ${duration(Math.abs(apart))} ${apart > 0 ? "ahead of" : "behind"} upstream's.`,
      setIt,
    );
  return ok(`${here}${agreement(lastAt, upstream !== null)}.`);
}

function agreement(lastAt: number | null, asked: boolean): string {
  const witnesses = [
    ...(lastAt === null ? [] : ["the newest entry"]),
    ...(asked ? ["upstream's clock"] : []),
  ];
  return witnesses.length === 0
    ? "; there is nothing to compare it with"
    : `, in keeping with ${witnesses.join(" and ")}`;
}
