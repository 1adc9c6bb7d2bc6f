/** `claimcheck doctor`: what is well and what is not, and what to do about it. */
import { realpathSync } from "node:fs";
import type { RailStyle } from "../chart/rail.ts";
import { withEnvFile } from "../config/env-file.ts";
import { type Check, isHealthy } from "../doctor/check.ts";
import { examine } from "../doctor/doctor.ts";
import { conclusion, pageOf, wrapped } from "../doctor/page.ts";
import { hostNames } from "../hosts/table.ts";
import type { Command, Given } from "./command.ts";
import { type HostReport, hostLines, reportOn } from "./doctor-host.ts";
import { exitCodes } from "./exit-codes.ts";
import { styleFor } from "./terminal.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

export const doctor: Command = {
  help: `claimcheck doctor - what is well, what is not, and what to do about it

  --online     ask upstream too: whether it can be reached, takes the key and
               finds responses by id. Nothing is generated, nothing costs
  --host NAME  how long calls wait in that host, and what to paste into it:
               ${hostNames.join(", ")}
  --ascii      plain ASCII
  --json       the same as JSON: {healthy, checks, host}

  Changes nothing of what is stored: makes no file, migrates nothing. Sends
  nothing unless told to.
  Exit code 0 when healthy, warnings allowed; 1 when not.`,
  options: {
    online: { type: "boolean" },
    host: { type: "string" },
    ascii: { type: "boolean" },
    json: { type: "boolean" },
  },
  takes: [],
  async run(given, world) {
    const name = given.text("host");
    const host = name === undefined ? null : await reportOn(name, given, world);
    const checks = await checksFor(given, world);
    const healthy = isHealthy(checks);
    world.stdout.write(
      given.flag("json")
        ? `${JSON.stringify({ healthy, checks, ...(host && { host }) })}\n`
        : wholePage(checks, host, given.flag("online"), styleFor(world, given.flag("ascii"))),
    );
    return healthy ? exitCodes.ok : exitCodes.failed;
  },
};

function checksFor(given: Given, world: World): Promise<Check[]> {
  return examine({
    environment: withEnvFile(world.environment, given.text("env-file")),
    platform: world.platform,
    script: realpathSync(world.program.script),
    online: given.flag("online"),
    now: world.now,
  });
}

function wholePage(
  checks: readonly Check[],
  host: HostReport | null,
  online: boolean,
  style: RailStyle,
): string {
  const parts = [
    [`claimcheck ${version}`],
    pageOf(checks, style),
    ...(host === null ? [] : [hostLines(host, style)]),
    wrapped(conclusion(checks, online), style, style.width),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
