import { describe, expect, test } from "vitest";
import type { Waiter } from "../../src/engine/engine.ts";
import { hostNames, hosts } from "../../src/hosts/table.ts";
import { defaultWaitMs, hostOf } from "../../src/hosts/waiting.ts";
import { replyMs } from "../../src/mcp/tool-call.ts";
import { type ClientKind, clientKinds, connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { allTools } from "./support/tools.ts";

describe("a call waits as long as its host allows, with room to spare", () => {
  test.each([
    ["claude-code", 600_000],
    ["codex-mcp-client", 240_000],
    ["codex-vscode", 240_000],
    ["Visual Studio Code", 240_000],
    ["Visual Studio Code - Insiders", 240_000],
    ["JetBrains-IU/copilot-intellij", 25_000],
    ["jetbrains-ai-assistant-client", 25_000],
    ["claude-ai", 45_000],
    ["cursor-vscode", 45_000],
    ["opencode", 45_000],
    ["my-claude-code-wrapper", 45_000],
    ["", 45_000],
  ])("%s waits %i ms", (name, ms) => expect(defaultWaitMs(name, undefined)).toBe(ms));

  test("a client that does not say who it is waits like everyone else", () => {
    expect(defaultWaitMs(undefined, undefined)).toBe(45_000);
  });

  test("the user's own default holds for every host", () => {
    expect(defaultWaitMs("claude-code", 0)).toBe(0);
    expect(defaultWaitMs("JetBrains-IU/copilot-intellij", 5_000)).toBe(5_000);
  });
});

describe.each(hostNames)("%s", (host) => {
  const { client, waitMs, callLimitMs } = hosts[host];

  test("has its receipt at least 5 s before it would end the call", () => {
    expect(waitMs).toBeLessThanOrEqual((callLimitMs ?? Number.POSITIVE_INFINITY) - 5_000);
  });

  test("is known by the name it gives itself, and by no other host's", () => {
    expect(hostOf(client?.name)).toBe(host);
    const knowing = hostNames.filter((other) => hosts[other].client?.pattern.test(client?.name ?? ""));
    expect(knowing).toEqual(client === null ? [] : [host]);
  });
});

test("every tool that waits says between which waits the host decides", () => {
  const waits = hostNames.map((host) => hosts[host].waitMs);
  const said = allTools.flatMap((tool) => JSON.stringify(tool.listed()).match(/by host, \d+ to \d+/g) ?? []);
  expect(new Set(said)).toEqual(new Set([`by host, ${Math.min(...waits)} to ${Math.max(...waits)}`]));
});

describe.each(clientKinds)("over the wire of a %s client", (kind) => {
  test("the host is known by what it calls itself", async () => {
    expect(await waited({ kind, clientName: "codex-mcp-client" })).toBe(240_000);
  });

  test("the user's default goes before the host's", async () => {
    expect(await waited({ kind, clientName: "claude-code", waitMs: 7_000 })).toBe(7_000);
  });

  test("what the call says goes before both", async () => {
    expect(await waited({ kind, clientName: "claude-code", waitMs: 7_000 }, { wait_ms: 3_000 })).toBe(3_000);
  });
});

async function waited(
  options: { kind: ClientKind; clientName: string; waitMs?: number },
  args: Record<string, unknown> = {},
): Promise<number> {
  const engine = fakeEngine();
  const { call } = await connect({ engine, ...options });
  await call("chat", { message: "Hello.", ...args });
  return (engine.theOnlyCall().args[1] as Waiter).budgetMs + replyMs;
}
