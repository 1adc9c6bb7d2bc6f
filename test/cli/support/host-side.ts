/** What each host makes of the block it was given: which program it starts, with which environment. */
import { parse as parseToml } from "smol-toml";
import * as z from "zod";
import type { HostSetup } from "../../../src/hosts/setup.ts";
import type { HostName } from "../../../src/hosts/table.ts";

const entrySchema = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
  env_vars: z.array(z.string()).optional(),
  startup_timeout_sec: z.number().optional(),
  tool_timeout_sec: z.number().optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Under which key each host has its servers; a host that does not know a key does without the servers under it. */
const keys: Record<HostName, "mcpServers" | "servers" | "mcp_servers"> = {
  "claude-code": "mcpServers",
  "claude-desktop": "mcpServers",
  codex: "mcp_servers",
  cursor: "mcpServers",
  vscode: "servers",
  jetbrains: "mcpServers",
  generic: "mcpServers",
};

/** The one server of the block, read as its host reads it. */
export function entryOf(host: HostName, { block }: Pick<HostSetup, "block">): Entry {
  const read: unknown = host === "codex" ? parseToml(block.text) : JSON.parse(block.text);
  const servers = z.strictObject({ claimcheck: entrySchema });
  return z.strictObject({ [keys[host]]: servers }).parse(read)[keys[host]]?.claimcheck ?? missing();
}

/** What is there on every machine and handed on by every host. */
const everywhere = ["PATH", "HOME"];

/** Hosts that start servers with no more than that. */
const bare: readonly HostName[] = ["claude-desktop", "codex", "jetbrains"];

/** The environment in which `host`, itself started in `own`, starts the server. */
export function environmentIn(
  host: HostName,
  { env = {}, env_vars = [] }: Entry,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(own).filter(
    ([name]) => !bare.includes(host) || [...everywhere, ...env_vars].includes(name),
  );
  const given = Object.entries(env).map(([name, value]) => [name, filledIn(host, value, own)]);
  return Object.fromEntries([...inherited, ...given]);
}

/** Claude Code fills in `${NAME}`, Cursor and VS Code `${env:NAME}`, the others nothing. */
function filledIn(host: HostName, value: string, own: Readonly<Record<string, string>>): string {
  const form = { "claude-code": /\$\{(\w+)\}/g, cursor: /\$\{env:(\w+)\}/g, vscode: /\$\{env:(\w+)\}/g };
  const written = Object.entries(form).find(([name]) => name === host)?.[1];
  return written === undefined
    ? value
    : value.replaceAll(written, (_, name: string) => own[name] ?? missing());
}

function missing(): never {
  throw new Error("the host finds nothing where it looks");
}
