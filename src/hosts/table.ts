/**
 * What is known of the programs that start MCP servers, as measured, read in their source or reported by their users
 * until November 2026. Beside each number stands where it comes from.
 */

export const hostNames = [
  "claude-code",
  "claude-desktop",
  "codex",
  "cursor",
  "vscode",
  "jetbrains",
  "generic",
] as const;
export type HostName = (typeof hostNames)[number];

export interface Host {
  title: string;
  /** The name it gives itself in `clientInfo`, and every form that name takes. Null for hosts nobody knows yet. */
  client: { name: string; pattern: RegExp } | null;
  /** How long a tool call waits when its caller did not say: well inside what the host allows a tool to take. */
  waitMs: number;
  /** Its own limit on a tool call: the shortest known of any of its versions. Null where it has none, or none is known. */
  callLimitMs: number | null;
  /** Whether progress puts that limit off. */
  progressExtends: "yes" | "no" | "unknown";
  /** How its user raises that limit. Null where there is no way. */
  raisedBy: string | null;
  /** What it gives a server to start and to answer first. Null where that is not known. */
  startLimitMs: number | null;
  /** What becomes of a large result. Null where that is not known. */
  largeResult: string | null;
  /** What happens to a call at the limit, or when the user stops it. Null where that is not known. */
  onTimeout: string | null;
  /** The revision of the protocol it opens with. Null where that is not known. */
  opensWith: string | null;
}

const seconds = 1_000;
const minutes = 60 * seconds;

export const hosts: Readonly<Record<HostName, Host>> = {
  "claude-code": {
    title: "Claude Code",
    client: { name: "claude-code", pattern: /^claude-code$/i },
    waitMs: 10 * minutes,
    // MCP_TOOL_TIMEOUT is 100,000,000 ms by default; what ends a stdio call is 30 min without an answer or progress
    // (anthropics/claude-code#70441, and its binary 2.1.222).
    callLimitMs: 30 * minutes,
    progressExtends: "yes",
    raisedBy: "`MCP_TOOL_TIMEOUT` and `CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT`",
    // anthropics/claude-code#16837
    startLimitMs: 60 * seconds,
    // MAX_MCP_OUTPUT_TOKENS; the tool may ask for more by _meta (anthropics/claude-code#47631).
    largeResult:
      "warned of over 10,000 tokens, put into a file over 25,000 tokens or about 50,000 characters",
    onTimeout: "cancels the call",
    // On the wire of 2.1.317: server/discover first, the handshake of 2025-11-25 where that is refused.
    opensWith: "2026-07-28",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    client: { name: "claude-ai", pattern: /^claude-ai$/i },
    waitMs: 45 * seconds,
    // 60 s in some builds (anthropics/claude-code#63379, #58687, #73955), 240 s in others (#65643, #91898).
    callLimitMs: 60 * seconds,
    // anthropics/claude-code#58687
    progressExtends: "no",
    raisedBy: null,
    startLimitMs: null,
    // anthropics/claude-code#66519
    largeResult: "refused over 1 MB",
    // After several of them it may stop hearing the server at all (anthropics/claude-code#65643).
    onTimeout: "cancels the call and drops an answer that comes late",
    opensWith: null,
  },
  codex: {
    title: "Codex",
    client: { name: "codex-mcp-client", pattern: /^codex\b/i },
    waitMs: 4 * minutes,
    // openai/codex, codex-rs/codex-mcp/src/rmcp_client.rs at 02beca9; older versions had 120 s, and 60 s before.
    callLimitMs: 5 * minutes,
    // Nothing in its source does.
    progressExtends: "no",
    raisedBy: "`tool_timeout_sec`",
    // The same file; 10 s in older versions.
    startLimitMs: 30 * seconds,
    // openai/codex#14466
    largeResult: "cut in the middle at about 10,000 tokens",
    // openai/codex#26956
    onTimeout: "stops listening without saying so",
    // On the wire of 0.165.0.
    opensWith: "2025-06-18",
  },
  cursor: {
    title: "Cursor",
    client: { name: "cursor-vscode", pattern: /^cursor\b/i },
    // Not trusted further than hosts nobody knows: its limit is one report, and nothing is documented.
    waitMs: 45 * seconds,
    // cursor/cursor#3510
    callLimitMs: 5 * minutes,
    progressExtends: "unknown",
    raisedBy: null,
    startLimitMs: null,
    largeResult: null,
    onTimeout: "cancels the call",
    opensWith: null,
  },
  vscode: {
    title: "VS Code",
    // Also "Visual Studio Code - Insiders". Cursor's own name ends in vscode and is not meant.
    client: { name: "Visual Studio Code", pattern: /^visual studio code\b/i },
    waitMs: 4 * minutes,
    // No timer in its request handler (microsoft/vscode, mcpServerRequestHandler.ts at c530837), but calls were cut
    // after 5 minutes (microsoft/vscode#261734).
    callLimitMs: 5 * minutes,
    progressExtends: "unknown",
    raisedBy: null,
    startLimitMs: null,
    largeResult: null,
    onTimeout: "cancels the call",
    // The newest one with a handshake (the same file).
    opensWith: "2025-11-25",
  },
  jetbrains: {
    title: "JetBrains",
    // "JetBrains-IU/copilot-intellij", "jetbrains-ai-assistant-client" and more.
    client: { name: "JetBrains-IU/copilot-intellij", pattern: /^jetbrains\b/i },
    waitMs: 25 * seconds,
    // microsoft/copilot-intellij-feedback#1935
    callLimitMs: 30 * seconds,
    progressExtends: "unknown",
    raisedBy: null,
    startLimitMs: null,
    largeResult: null,
    onTimeout: null,
    opensWith: null,
  },
  generic: {
    title: "Any other host",
    client: null,
    // Many cut at 60 s, the default of the SDK that most of them are made with.
    waitMs: 45 * seconds,
    callLimitMs: null,
    progressExtends: "unknown",
    raisedBy: null,
    startLimitMs: null,
    largeResult: null,
    onTimeout: null,
    opensWith: null,
  },
};
