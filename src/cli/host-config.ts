/** `claimcheck config HOST`: how to set a host up. Prints, and writes nothing. */
import { realpathSync } from "node:fs";
import type { RailStyle } from "../chart/rail.ts";
import { defaultDataDirectory } from "../config/data-directory.ts";
import { wrapped } from "../doctor/page.ts";
import { type Installation, type LaunchForm, launchFormOf, launchForms } from "../hosts/launch.ts";
import { type HostSetup, setupFor } from "../hosts/setup.ts";
import { hostNames } from "../hosts/table.ts";
import { nearestName } from "../mcp/nearest-name.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { styleFor } from "./terminal.ts";
import type { World } from "./world.ts";

export const hostConfig: Command = {
  help: `claimcheck config HOST - how to set a host up; writes nothing, prints no key

  HOST       ${hostNames.slice(0, 4).join(", ")},
             ${hostNames.slice(4).join(", ")}
  --by FORM  how the host starts claimcheck, by default as you just did:
             npx      through npx, downloaded when needed
             command  as a command that npm installed globally
             path     by the absolute paths of Node and claimcheck
             docker   as a container
  --windows  for a host on Windows; on Windows always
  --json     the file, the block for it, the command and the notes as JSON`,
  options: { by: { type: "string" }, windows: { type: "boolean" }, json: { type: "boolean" } },
  takes: [`HOST (${hostNames.join(", ")})`],
  async run(given, world) {
    const host = oneOf(hostNames, given.positionals[0] ?? "", "host");
    const setup = setupFor(host, installationOf(given, world));
    world.stdout.write(
      given.flag("json") ? `${JSON.stringify(setup)}\n` : textOf(setup, styleFor(world, false)),
    );
    return exitCodes.ok;
  },
};

function oneOf<T extends string>(names: readonly T[], given: string, what: string): T {
  const found = names.find((known) => known === given);
  if (found !== undefined) return found;
  const near = nearestName(given, names);
  throw new UsageError(
    `There is no ${what} "${given}". ${near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`}`,
  );
}

function installationOf(given: Given, { program, platform, environment }: World): Installation {
  const script = realpathSync(program.script);
  const elsewhere = given.flag("windows") && platform.os !== "win32";
  return {
    form: formOf(given.text("by"), elsewhere ? "npx" : launchFormOf(script)),
    windows: elsewhere || platform.os === "win32",
    node: program.node,
    script,
    dataDirectory: elsewhere ? someWindowsDirectory : defaultDataDirectory(environment, platform),
  };
}

/** Of somebody whose machine is another one; the paths of this one would be of no use there. */
const someWindowsDirectory = "C:\\Users\\you\\AppData\\Local\\claimcheck";

function formOf(asked: string | undefined, usual: LaunchForm): LaunchForm {
  return asked === undefined ? usual : oneOf(launchForms, asked, "way to start called");
}

function textOf({ title, file, block, command, notes }: HostSetup, style: RailStyle): string {
  const prose = (text: string) => wrapped(text, style, style.width).join("\n");
  const parts = [
    prose(`${title}: into ${file}`),
    block.text,
    ...(command === undefined ? [] : ["or, in a shell:", command]),
    ...notes.map(prose),
  ];
  return `${parts.join("\n\n")}\n`;
}
