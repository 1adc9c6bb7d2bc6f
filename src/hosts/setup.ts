/** How each host is told to start claimcheck. None of these texts ever holds a key: hosts pass theirs on. */
import { posix, win32 } from "node:path";
import { apiKey, type Installation, launch, model } from "./launch.ts";
import { limitNote } from "./limits.ts";
import { notesOn } from "./notes.ts";
import { type HostName, hosts } from "./table.ts";

export interface HostSetup {
  title: string;
  /** The file the block belongs into, as the host documents it. */
  file: string;
  block: { language: "json" | "toml"; text: string };
  /**
   * A shell command that does the same, where the host has one. Not for Windows, whose shells quote in three
   * different ways.
   */
  command?: string;
  notes: string[];
}

type Part = Omit<HostSetup, "title">;

const setups: Record<HostName, (installation: Installation) => Part> = {
  "claude-code": claudeCode,
  "claude-desktop": claudeDesktop,
  codex,
  cursor,
  vscode,
  jetbrains,
  generic,
};

export function setupFor(host: HostName, installation: Installation): HostSetup {
  const { command, notes, ...part } = setups[host](installation);
  return {
    title: hosts[host].title,
    ...part,
    ...(command !== undefined && !installation.windows && { command }),
    notes: [...notes, ...notesOn(installation), limitNote(host)].filter((note) => note !== undefined),
  };
}

/** Hosts differ in what they make of a variable that is not set, so it is not asked for unseen. */
const modelNote = `For a default model add "${model}": "..." beside the key, or name one in each call.`;

function claudeCode(installation: Installation): Part {
  const server = { type: "stdio", ...launch(installation), env: { [apiKey]: `\${${apiKey}}` } };
  return {
    file: ".mcp.json in the project",
    block: json({ mcpServers: { claimcheck: server } }),
    command: `claude mcp add-json claimcheck --scope user ${quoted(JSON.stringify(server))}`,
    notes: [`\${${apiKey}} is filled in from the environment Claude Code was started in.`, modelNote],
  };
}

function claudeDesktop(installation: Installation): Part {
  return {
    file: installation.windows
      ? "%APPDATA%\\Claude\\claude_desktop_config.json"
      : "claude_desktop_config.json (Settings, Developer, Edit Config)",
    ...withEnvFile(installation),
  };
}

function jetbrains(installation: Installation): Part {
  const { block, notes } = withEnvFile(installation);
  return {
    file: "Settings, Tools, AI Assistant, Model Context Protocol, as JSON",
    block,
    notes: [...notes, 'GitHub Copilot reads the same entry from its own mcp.json, there under "servers".'],
  };
}

/** A desktop program has no shell's environment and fills nothing in, so the key comes from a file of the user's. */
function withEnvFile(installation: Installation): Pick<Part, "block" | "notes"> {
  const { windows, dataDirectory } = installation;
  const file = (windows ? win32 : posix).join(dataDirectory, "claimcheck.env");
  return {
    block: json({ mcpServers: { claimcheck: launch(installation, file) } }),
    notes: [
      `Make ${file} with a line ${apiKey}=... and, where calls name no model, ${model}=...; let nobody else read it.`,
    ],
  };
}

/** Codex starts servers without its own environment; `env_vars` names what to pass on. */
function codex(installation: Installation): Part {
  const { command, args } = launch(installation);
  const passed = [apiKey, model, ...(installation.windows ? windowsNeeds : [])];
  const seconds = (ms: number | null) => (ms ?? 0) / 1_000;
  const lines = [
    "[mcp_servers.claimcheck]",
    `command = ${JSON.stringify(command)}`,
    `args = ${list(args)}`,
    `env_vars = ${list(passed)}`,
    `startup_timeout_sec = ${startsSlowly(installation) ? 120 : seconds(hosts.codex.startLimitMs)}`,
    `tool_timeout_sec = ${seconds(hosts.codex.callLimitMs)}`,
  ];
  const file = "~/.codex/config.toml";
  return {
    file: installation.windows ? "%USERPROFILE%\\.codex\\config.toml" : file,
    block: { language: "toml", text: lines.join("\n") },
    // A table that is there twice is an error in TOML.
    command: `grep -qs '^\\[mcp_servers\\.claimcheck\\]' ${file} || printf '\\n%s\\n' ${quoted(lines.join("\n"))} >> ${file}`,
    notes: [`env_vars passes ${apiKey} and ${model} on from the environment Codex was started in.`],
  };
}

/** Without the first two no program finds its libraries on Windows (ChromeDevTools/chrome-devtools-mcp, README). */
const windowsNeeds = ["SystemRoot", "PROGRAMFILES", "LOCALAPPDATA", "APPDATA"];

/** The first start may download, and every start on Windows is slower than Codex is patient. */
const startsSlowly = ({ form, windows }: Installation) => windows || form === "npx" || form === "docker";

function cursor(installation: Installation): Part {
  const server = { ...launch(installation), env: { [apiKey]: `\${env:${apiKey}}` } };
  return {
    file: installation.windows ? "%USERPROFILE%\\.cursor\\mcp.json" : "~/.cursor/mcp.json",
    block: json({ mcpServers: { claimcheck: server } }),
    notes: [`\${env:${apiKey}} is filled in from the environment Cursor was started in.`, modelNote],
  };
}

function vscode(installation: Installation): Part {
  const server = { type: "stdio", ...launch(installation), env: { [apiKey]: `\${env:${apiKey}}` } };
  return {
    file: ".vscode/mcp.json",
    block: json({ servers: { claimcheck: server } }),
    command: `code --add-mcp ${quoted(JSON.stringify({ name: "claimcheck", ...server }))}`,
    notes: [`\${env:${apiKey}} is filled in from the environment VS Code was started in.`, modelNote],
  };
}

function generic(installation: Installation): Part {
  return {
    file: "the host's list of MCP servers",
    block: json({ mcpServers: { claimcheck: launch(installation) } }),
    notes: [
      `The server must find ${apiKey} in its environment, and ${model} where calls name none. How they get there is up to the host.`,
    ],
  };
}

/** One argument a line would be a long column of short words. Line ends stand between JSON's strings, never in them. */
function json(value: unknown) {
  const text = JSON.stringify(value, null, 2).replaceAll(/\[\n[^[\]]*\n *\]/g, (array) =>
    array.replace(/\n */, "").replaceAll(/,\n */g, ", ").replace(/\n */, ""),
  );
  return { language: "json", text } as const;
}

/** TOML's basic strings are JSON's, as far as paths and names go. */
const list = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
