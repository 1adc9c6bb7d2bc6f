/** What README.md and SPEC.md say of tools, hosts, settings and limits. */
import { failureCodes } from "../../machines/evidence.ts";
import { generalHelp } from "../../src/cli/help.ts";
import { hostNames, hosts } from "../../src/cli/hosts.ts";
import { variableGroups } from "../../src/config/variables.ts";
import { errorCodes } from "../../src/contract/errors.ts";
import { policyKnobs } from "../../src/contract/policy.ts";
import { warnings } from "../../src/contract/warnings.ts";
import { defaultWaitMs } from "../../src/mcp/hosts.ts";
import { coreTools } from "../../src/mcp/tools.ts";
import { code, fenced, table } from "./markdown.ts";

export const help = () => fenced("text", generalHelp());

export function tools(): string {
  const rows = coreTools.map((tool) => {
    const { name, description = "", inputSchema } = tool.listed();
    const required = new Set(inputSchema.required ?? []);
    const fields = Object.keys(inputSchema.properties ?? {});
    const named = [
      ...fields.filter((field) => required.has(field)).map((field) => `**${field}**`),
      ...fields.filter((field) => !required.has(field)),
    ];
    return [
      code(name),
      firstSentence(description) + choicesOf(inputSchema.properties ?? {}),
      named.join(", "),
    ];
  });
  return table(["tool", "what it does", "fields (required ones bold)"], rows);
}

/** `wait, read, inbox, history` of a tool that does several things. */
function choicesOf(properties: Readonly<Record<string, unknown>>): string {
  const choice = properties["action"] ?? properties["operation"];
  if (typeof choice !== "object" || choice === null || !("enum" in choice)) return "";
  return Array.isArray(choice.enum) ? ` ${choice.enum.map((name) => code(String(name))).join(", ")}` : "";
}

/** Addresses of somebody who cloned into a folder of their own; `claimcheck config` prints the true ones. */
const example = {
  node: "/usr/local/bin/node",
  script: "/home/you/claimcheck/dist/claimcheck.js",
  os: "linux",
  dataDirectory: "/home/you/.local/share/claimcheck",
};

export function hostSetups(): string {
  const sections = hostNames.map((host) => {
    const { title, file, block, command, notes } = hosts[host](example);
    const shell = command === undefined ? [] : ["or in a shell:", fenced("sh", command)];
    return [
      `<details><summary>${title}</summary>`,
      `Into ${file}:`,
      fenced(block.language, block.text),
      ...shell,
      notes.join("\n"),
      "</details>",
    ].join("\n\n");
  });
  return sections.join("\n\n");
}

const clients = [
  ["Claude Code", "claude-code"],
  ["Codex", "codex-mcp-client"],
  ["VS Code", "Visual Studio Code"],
  ["JetBrains", "JetBrains-IU/copilot-intellij"],
  ["every other host", ""],
] as const;

export function waits(): string {
  const rows = clients.map(([host, client]) => [host, `${defaultWaitMs(client, undefined) / 1_000} s`]);
  return table(["host", "a call waits"], rows);
}

/** Those of OpenAI and of the server; limits have a table of their own. */
export function settings(): string {
  const named = variableGroups.slice(0, 2).flatMap(({ variables }) => variables);
  return table(
    ["variable", "unset it is", "what for"],
    named.map(({ env, fallback, purpose }) => [code(env), fallback, purpose]),
  );
}

export function limits(): string {
  const rows = Object.values(policyKnobs).map((knob) => [
    code(knob.env),
    amount(knob.fallback, knob.unit),
    range(knob),
    knob.purpose,
  ]);
  return table(["variable", "default", "range", "what for"], rows);
}

export function codes(): string {
  return table(
    ["where", "codes"],
    [
      ["a call that was refused (`code`)", errorCodes.map(code).join(", ")],
      ["a request that failed (`failure.code`)", failureCodes.map(code).join(", ")],
      ["beside an answer (`warnings`)", warnings.map(code).join(", ")],
    ],
  );
}

function amount(value: number, unit: string): string {
  if (unit === "bytes") return binary(value);
  if (unit === "ms" && value % 1_000 === 0) return `${(value / 1_000).toLocaleString("en-US")} s`;
  return unit === "count" ? value.toLocaleString("en-US") : `${value.toLocaleString("en-US")} ${unit}`;
}

function range({ min, max, unit }: { min: number; max: number; unit: string }): string {
  const [least, most] = [amount(min, unit), amount(max, unit)];
  const [name = ""] = most.split(" ").slice(1);
  return `${least.endsWith(` ${name}`) ? least.slice(0, -name.length - 1) : least} to ${most}`;
}

function binary(bytes: number): string {
  const names = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const step = names.findLastIndex((_, power) => bytes % 1_024 ** power === 0 && bytes >= 1_024 ** power);
  return `${bytes / 1_024 ** step} ${names[step]}`;
}

const firstSentence = (text: string) => text.slice(0, text.search(/[.;:](?: |$)/) + 1).replace(/[;:]$/, ".");
