/** How each host is told to start claimcheck. None of these texts ever holds a key: hosts pass theirs on. */
import { posix, win32 } from "node:path";

/** Absolute paths; a host's own PATH is rarely the shell's. */
export interface Installation {
  node: string;
  script: string;
  /** `process.platform` */
  os: string;
  dataDirectory: string;
}

export interface HostSetup {
  title: string;
  /** The file the block belongs into, as the host documents it. */
  file: string;
  block: { language: "json" | "toml"; text: string };
  /** A shell command that does the same, where the host has one. */
  command?: string;
  notes: string[];
}

const key = "OPENAI_API_KEY";
const model = "OPENAI_MODEL";

/** Hosts differ in what they make of a variable that is not set, so it is not asked for unseen. */
const modelNote = `For a default model add "${model}": "..." beside the key, or name one in each call.`;

export const hostNames = ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "generic"] as const;
export type HostName = (typeof hostNames)[number];

export const hosts: Record<HostName, (installation: Installation) => HostSetup> = {
  "claude-code": claudeCode,
  "claude-desktop": claudeDesktop,
  codex,
  cursor,
  vscode,
  generic,
};

function claudeCode({ node, script }: Installation): HostSetup {
  const server = { type: "stdio", command: node, args: [script], env: { [key]: `\${${key}}` } };
  return {
    title: "Claude Code",
    file: ".mcp.json in the project",
    block: json({ mcpServers: { claimcheck: server } }),
    command: `claude mcp add-json claimcheck --scope user ${quoted(JSON.stringify(server))}`,
    notes: [`\${${key}} is filled in from the environment Claude Code was started in.`, modelNote],
  };
}

/**
 * A desktop program has no shell's environment and fills nothing in, so the key comes from a file of the user's.
 * Without `--` Node would take `--env-file` for its own option, wherever it stands.
 */
function claudeDesktop({ node, script, os, dataDirectory }: Installation): HostSetup {
  const file = (os === "win32" ? win32 : posix).join(dataDirectory, "claimcheck.env");
  return {
    title: "Claude Desktop",
    file: "claude_desktop_config.json",
    block: json({
      mcpServers: { claimcheck: { command: node, args: ["--", script, "serve", "--env-file", file] } },
    }),
    notes: [
      `Make ${file} with a line ${key}=... and, where calls name no model, ${model}=...; let nobody else read it.`,
      "Claude Desktop ends a call after a minute or so; claimcheck answers before that with a receipt.",
    ],
  };
}

/** Codex starts servers without its own environment; `env_vars` names what to pass on. */
function codex({ node, script }: Installation): HostSetup {
  const lines = [
    "[mcp_servers.claimcheck]",
    `command = ${JSON.stringify(node)}`,
    `args = [${JSON.stringify(script)}]`,
    `env_vars = ["${key}", "${model}"]`,
    "tool_timeout_sec = 300",
  ];
  return {
    title: "Codex",
    file: "~/.codex/config.toml",
    block: { language: "toml", text: lines.join("\n") },
    command: `printf '%s\\n' ${lines.map(quoted).join(" ")} >> ~/.codex/config.toml`,
    notes: [`env_vars passes ${key} and ${model} on from the environment Codex was started in.`],
  };
}

function cursor({ node, script }: Installation): HostSetup {
  return {
    title: "Cursor",
    file: "~/.cursor/mcp.json",
    block: json({
      mcpServers: { claimcheck: { command: node, args: [script], env: { [key]: `\${env:${key}}` } } },
    }),
    notes: [`\${env:${key}} is filled in from the environment Cursor was started in.`, modelNote],
  };
}

function vscode({ node, script }: Installation): HostSetup {
  const server = { type: "stdio", command: node, args: [script], env: { [key]: `\${env:${key}}` } };
  return {
    title: "VS Code",
    file: ".vscode/mcp.json",
    block: json({ servers: { claimcheck: server } }),
    command: `code --add-mcp ${quoted(JSON.stringify({ name: "claimcheck", ...server }))}`,
    notes: [`\${env:${key}} is filled in from the environment VS Code was started in.`, modelNote],
  };
}

function generic({ node, script }: Installation): HostSetup {
  return {
    title: "Any other host",
    file: "the host's list of MCP servers",
    block: json({ mcpServers: { claimcheck: { command: node, args: [script] } } }),
    notes: [
      `The server must find ${key} in its environment, and ${model} where calls name none. How they get there is up to the host.`,
    ],
  };
}

const json = (value: unknown) => ({ language: "json", text: JSON.stringify(value, null, 2) }) as const;

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
