/** What `claimcheck config` prints is started as its host would start it, and answers. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LaunchForm } from "../../src/hosts/launch.ts";
import { type HostName, hostNames } from "../../src/hosts/table.ts";
import { type Hosted, startHosted } from "../support/host-process.ts";
import { serverFile, testKey } from "../support/stdio.ts";
import { temporaryDirectory } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { type Entry, entryOf, environmentIn } from "./support/host-side.ts";

describe.each(hostNames)("%s", (host) => {
  test("gets the handshake answered by what it was told to start, which finds its key", async () => {
    const server = await started(host, ["--by", "path"]);
    await expectAnswer(server);
  });
});

/** One of each kind: it inherits the key, it passes the key on by name, it has it from a file. */
const kinds = ["generic", "codex", "claude-desktop"] as const;

describe.each(kinds)("%s, told another way to start it,", (host) => {
  test.each(["npx", "command", "docker"] satisfies LaunchForm[])("%s, has its answer", async (form) => {
    await expectAnswer(await started(host, ["--by", form]));
  });

  test.each(["npx", "command"])("%s on Windows, hands cmd a line that starts it", async (form) => {
    await expectAnswer(await started(host, ["--by", form, "--windows"], withoutCmd));
  });
});

test("without its key the same start ends, and says what is missing", async () => {
  const server = await started("generic", ["--by", "path"], (entry) => entry, {});
  expect(await server.ended(performance.now())).toMatchObject({ code: 2 });
  expect(server.stderr()).toContain("OPENAI_API_KEY");
});

async function expectAnswer(server: Hosted): Promise<void> {
  await server.handshake();
  expect(JSON.parse(server.lines()[0] ?? "")).toMatchObject({
    id: 0,
    result: { serverInfo: { name: "claimcheck" } },
  });
  const since = performance.now();
  server.child.stdin?.end();
  expect(await server.ended(since)).toMatchObject({ code: 0 });
}

/** As `cmd /c` does with a command line. */
function withoutCmd({ command, args, ...entry }: Entry): Entry {
  const [flag, started = "", ...rest] = args;
  expect([command, flag]).toEqual(["cmd", "/c"]);
  return { ...entry, command: started, args: rest };
}

/** On a machine where npx and docker find claimcheck without a network, from a directory like any other. */
async function started(
  host: HostName,
  config: readonly string[],
  entryAs: (entry: Entry) => Entry = (entry) => entry,
  key: Record<string, string> = { OPENAI_API_KEY: testKey },
): Promise<Hosted> {
  const { home, folder, PATH } = machine();
  const said = await claimcheck(["config", host, "--json", ...config], { HOME: home });
  const entry = placed(entryAs(entryOf(host, JSON.parse(said.stdout))), home);
  return startHosted({
    command: [entry.command, ...entry.args],
    env: environmentIn(host, entry, { PATH, HOME: home, npm_config_offline: "true", ...key }),
    cwd: folder,
  });
}

/** The file the user was told to make; one in a Windows directory has its place elsewhere here. */
function placed(entry: Entry, home: string): Entry {
  const file = entry.args[entry.args.indexOf("--env-file") + 1] ?? "";
  if (!entry.args.includes("--env-file")) return entry;
  const here = file.startsWith("C:\\") ? join(home, file.slice(file.lastIndexOf("\\") + 1)) : file;
  mkdirSync(dirname(here), { recursive: true });
  writeFileSync(here, `OPENAI_API_KEY=${testKey}\n`);
  return { ...entry, args: entry.args.map((arg) => (arg === file ? here : arg)) };
}

/** Its own home, a project in which npm installed claimcheck, and the commands a user has. */
function machine() {
  const [home, folder, bin] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
  const installed = join(folder, "node_modules");
  mkdirSync(join(installed, ".bin"), { recursive: true });
  symlinkSync(dirname(dirname(serverFile)), join(installed, "claimcheck"));
  symlinkSync(join("..", "claimcheck", "dist", "claimcheck.js"), join(installed, ".bin", "claimcheck"));
  symlinkSync(serverFile, join(bin, "claimcheck"));
  executable(join(bin, "docker"), standInForDocker);
  return { home, folder, PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) };
}

/** Starts the server as a container: with the variables that its arguments hand on, and no others. */
const standInForDocker = `
variables=
[ "$1" = run ] || exit 64
shift
while [ $# -gt 1 ]; do
  case $1 in
    -e) eval "set_to=\\\${$2-}"; [ -z "$set_to" ] || variables="$variables $2=$set_to"; shift ;;
    --env-file) variables="$variables $(tr '\\n' ' ' < "$2")"; shift ;;
    -v) [ "$2" = claimcheck:/data ] || exit 64; shift ;;
    -i | --rm | --init) ;;
    *) exit 64 ;;
  esac
  shift
done
[ "$1" = claimcheck ] || exit 64
exec env -i PATH="$PATH" HOME="$HOME" $variables '${process.execPath}' '${serverFile}'
`;

function executable(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh${script}`);
  chmodSync(file, 0o755);
}
