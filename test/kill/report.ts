/** The table of one run. */
import type { Harm } from "./chaos.ts";
import type { Findings } from "./database.ts";
import { tally } from "./tally.ts";

export interface Outcome {
  name: string;
  harm: Harm;
  requests: number;
  posts: readonly number[];
  findings: Findings;
  violations: readonly string[];
  seconds: number;
}

const shown = 10;

export function printOutcome({ name, harm, requests, posts, findings, violations, seconds }: Outcome): void {
  const { events, states, integrity } = findings;
  const row = (what: string, value: string | number) => console.log(`${what.padEnd(26)}${value}`);
  console.log(`\n${name}`);
  row("requests", requests);
  row("kills", harm.kills);
  row("pauses", harm.pauses);
  row("lease.expired", events.get("lease.expired") ?? 0);
  row("stream.reattached", events.get("stream.reattached") ?? 0);
  row(
    "events",
    [...events.values()].reduce((sum, times) => sum + times, 0),
  );
  for (const [count, times] of tally(posts)) row(`requests with ${count} POSTs`, times);
  for (const [state, times] of states) row(`ended ${state}`, times);
  row("integrity_check", integrity);
  row("seconds", seconds.toFixed(1));
  row("violations", violations.length);
  for (const violation of violations.slice(0, shown)) console.log(`  ${violation}`);
  if (violations.length > shown) console.log(`  and ${violations.length - shown} more`);
}
