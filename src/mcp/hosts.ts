/** How long a tool call waits when its caller did not say: well inside what each host allows a tool to take. */

interface HostWait {
  host: string;
  /** Of the name the host gives itself in `clientInfo`. */
  name: RegExp;
  waitMs: number;
}

const hostWaits: readonly HostWait[] = [
  // No cap of its own worth naming (~28 h), but 30 min without progress end a stdio call (anthropics/claude-code#70441).
  { host: "Claude Code", name: /^claude-code$/i, waitMs: 600_000 },
  // 300 s by default, and progress does not extend it (openai/codex, codex-rs/codex-mcp/src/rmcp_client.rs);
  // it calls itself codex-mcp-client.
  { host: "Codex", name: /^codex\b/i, waitMs: 240_000 },
  // No timer in the request handler, but calls were cut after 5 minutes (microsoft/vscode#261734). Also "… - Insiders".
  // Cursor calls itself cursor-vscode and is not meant.
  { host: "VS Code", name: /^visual studio code\b/i, waitMs: 240_000 },
  // 30 s, not configurable (microsoft/copilot-intellij-feedback#1935); JetBrains-IU/copilot-intellij and others.
  { host: "JetBrains", name: /^jetbrains\b/i, waitMs: 25_000 },
];

/** Claude Desktop, Copilot CLI and others cut at 60 s and cannot be told otherwise (anthropics/claude-code#58687). */
const cautiousWaitMs = 45_000;

/**
 * Milliseconds a call waits by default.
 *
 * @param clientName what the client calls itself, undefined when it did not say
 * @param overrideMs the user's own default for every host
 */
export function defaultWaitMs(clientName: string | undefined, overrideMs: number | undefined): number {
  if (overrideMs !== undefined) return overrideMs;
  return hostWaits.find(({ name }) => name.test(clientName ?? ""))?.waitMs ?? cautiousWaitMs;
}
