/** `claimcheck doctor --host NAME`: how long a call waits in that host, and what to paste into it. */
import { duration, type RailStyle } from "../chart/rail.ts";
import { withEnvFile } from "../config/env-file.ts";
import { wrapped } from "../doctor/page.ts";
import { readSettings } from "../doctor/settings.ts";
import { hostNames, hosts } from "../hosts/table.ts";
import type { Given } from "./command.ts";
import { hostConfig } from "./host-config.ts";
import { parse } from "./parse.ts";
import type { World } from "./world.ts";

export interface HostReport {
  name: string;
  /** How long a call waits there that does not say, before it returns a receipt. */
  wait_ms: number;
  wait_set_by: "the host's name" | "CLAIMCHECK_WAIT_MS";
  /** What `claimcheck config NAME` prints. */
  setup: string;
}

/** @throws {UsageError} for a host that is none */
export async function reportOn(name: string, given: Given, world: World): Promise<HostReport> {
  const setup = await setupOf(name, world);
  const host = hostNames.find((known) => known === name) ?? "generic";
  const environment = withEnvFile(world.environment, given.text("env-file"));
  const chosen = readSettings(environment, world.platform).config.waitMs;
  return {
    name,
    wait_ms: chosen ?? hosts[host].waitMs,
    wait_set_by: chosen === null ? "the host's name" : "CLAIMCHECK_WAIT_MS",
    setup,
  };
}

/** The same text, since it is the same command. */
async function setupOf(name: string, world: World): Promise<string> {
  const printed: string[] = [];
  const stdout = { write: (text: string) => printed.push(text) };
  await hostConfig.run(parse(hostConfig, [name]), { ...world, stdout });
  return printed.join("").trimEnd();
}

export function hostLines({ name, wait_ms, wait_set_by, setup }: HostReport, style: RailStyle): string[] {
  const wait = `In ${name} a call waits ${duration(wait_ms)} if it does not say (set by ${wait_set_by}), then it returns a receipt and the work goes on.`;
  return [...wrapped(wait, style, style.width), "", ...setup.split("\n")];
}
