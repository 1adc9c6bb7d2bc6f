/** `claimcheck config HOST`: how to set a host up. Prints, and writes nothing. */
import { realpathSync } from "node:fs";
import { defaultDataDirectory } from "../config/data-directory.ts";
import { nearestName } from "../mcp/nearest-name.ts";
import { type Command, UsageError } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { type HostName, type HostSetup, hostNames, hosts, type Installation } from "./hosts.ts";
import type { World } from "./world.ts";

export const hostConfig: Command = {
  help: `claimcheck config HOST - how to set a host up; writes nothing, prints no key

  HOST      ${hostNames.join(", ")}
  --json    the file, the block for it and the command as JSON`,
  options: { json: { type: "boolean" } },
  takes: [`HOST (${hostNames.join(", ")})`],
  async run(given, world) {
    const setup = hosts[hostCalled(given.positionals[0] ?? "")](installationOf(world));
    world.stdout.write(given.flag("json") ? `${JSON.stringify(setup)}\n` : textOf(setup));
    return exitCodes.ok;
  },
};

function hostCalled(name: string): HostName {
  const host = hostNames.find((known) => known === name);
  if (host !== undefined) return host;
  const near = nearestName(name, hostNames);
  throw new UsageError(
    `There is no host "${name}". ${near === undefined ? `There are ${hostNames.join(", ")}.` : `Did you mean ${near}?`}`,
  );
}

function installationOf({ program, platform, environment }: World): Installation {
  return {
    node: program.node,
    script: realpathSync(program.script),
    os: platform.os,
    dataDirectory: defaultDataDirectory(environment, platform),
  };
}

function textOf({ title, file, block, command, notes }: HostSetup): string {
  const parts = [
    `${title}: into ${file}`,
    block.text,
    ...(command === undefined ? [] : ["or, in a shell:", command]),
    notes.join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
