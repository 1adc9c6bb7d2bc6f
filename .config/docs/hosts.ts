/** What README.md says of hosts: what to paste into each, and what each allows a tool call. */
import type { Installation, LaunchForm } from "../../src/hosts/launch.ts";
import { inSeconds } from "../../src/hosts/limits.ts";
import { type HostSetup, setupFor } from "../../src/hosts/setup.ts";
import { type Host, type HostName, hostNames, hosts } from "../../src/hosts/table.ts";
import { details, fenced, table } from "./markdown.ts";

/** Somebody who cloned into a folder of their own; `claimcheck config` prints the true paths. */
const onPosix = {
  node: "/usr/local/bin/node",
  script: "/home/you/claimcheck/dist/claimcheck.js",
  windows: false,
  dataDirectory: "/home/you/.local/share/claimcheck",
};

const onWindows = {
  node: "C:\\Program Files\\nodejs\\node.exe",
  script: "C:\\Users\\you\\claimcheck\\dist\\claimcheck.js",
  windows: true,
  dataDirectory: "C:\\Users\\you\\AppData\\Local\\claimcheck",
};

const by = (form: LaunchForm, machine: Omit<Installation, "form"> = onPosix): Installation => ({
  form,
  ...machine,
});

/** The hosts as they are set up from a clone, and what the other ways of starting make of the blocks. */
export function hostSetups(): string {
  const usual = hostNames.map((host) => {
    const setup = setupFor(host, by("path"));
    return details(setup.title, [...pasted(setup), bullets(setup.notes)]);
  });
  return [
    ...usual,
    ...variants("Any of them through npx, once claimcheck is on npm", by("npx")),
    ...variants("Any of them on Windows", by("path", onWindows), by("npx", onWindows)),
    ...variants("Any of them with Docker", by("docker")),
  ].join("\n\n");
}

/** Codex has a format of its own, the blocks of the others differ in their frame only. */
const shown = ["generic", "codex"] as const satisfies HostName[];

function variants(title: string, ...installations: Installation[]): string[] {
  const parts = installations.flatMap((installation) => {
    const setups = shown.map((host) => setupFor(host, installation));
    const [generic] = setups;
    return [
      ...setups.flatMap(({ file, block }) => [`Into ${file}:`, fenced(block.language, block.text)]),
      ...(generic === undefined ? [] : [bullets(generic.notes)]),
    ];
  });
  return [details(title, parts)];
}

const bullets = (notes: readonly string[]) => notes.map((note) => `- ${note}`).join("\n");

function pasted({ file, block, command }: HostSetup): string[] {
  const shell = command === undefined ? [] : ["or in a shell:", fenced("sh", command)];
  return [`Into ${file}:`, fenced(block.language, block.text), ...shell];
}

const unknown = "?";
const known = (ms: number | null) => (ms === null ? unknown : inSeconds(ms));

/** What each host allows, and how long a call waits in it. */
export function waits(): string {
  const all = hostNames.map((host) => hosts[host]);
  const head = ["host", "a call waits", "its own limit", "put off by progress", "raised by", "opens with"];
  const more = ["host", "at its limit it", "has to start within", "a large result is"];
  return [
    table(head, all.map(timesOf)),
    "",
    details("What else they do", [table(more, all.map(habitsOf))]),
  ].join("\n");
}

function timesOf({ title, waitMs, callLimitMs, progressExtends, raisedBy, opensWith }: Host): string[] {
  return [
    title,
    inSeconds(waitMs),
    known(callLimitMs),
    progressExtends === "unknown" ? unknown : progressExtends,
    raisedBy ?? (callLimitMs === null ? unknown : "no known way"),
    opensWith ?? unknown,
  ];
}

function habitsOf({ title, onTimeout, startLimitMs, largeResult }: Host): string[] {
  return [title, onTimeout ?? unknown, known(startLimitMs), largeResult ?? unknown];
}
