/** Prints what claimcheck costs before it is asked anything: a model's context for its tools, a download. */
import { execFileSync } from "node:child_process";
import * as z from "zod";
import { budgets, tokenCounts } from "./docs/tokens.ts";

const { byTool, core, all } = tokenCounts();
for (const [tool, count] of Object.entries(byTool)) say(tool, `${count} tokens`);
say("toolset core", `${core} tokens of ${budgets.core}`);
say("tools/list", `${all} tokens of ${budgets.all}`);

const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
const told = execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const [packed] = z
  .tuple([z.object({ size: z.number(), unpackedSize: z.number(), entryCount: z.number() })])
  .parse(JSON.parse(told));
say(
  "tarball",
  `${kilobytes(packed.size)} in ${packed.entryCount} files, unpacked ${kilobytes(packed.unpackedSize)}`,
);

function say(what: string, cost: string): void {
  console.log(`${what.padEnd(16)}${cost}`);
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1_000).toLocaleString("en-US")} kB`;
}
