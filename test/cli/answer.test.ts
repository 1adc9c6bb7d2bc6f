import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEngine } from "../../src/cli/assemble.ts";
import { main } from "../../src/cli/main.ts";
import { readConfig } from "../../src/config.ts";
import { silentLog } from "../../src/engine/log.ts";
import { temporaryDirectory } from "../support/world.ts";
import { fakeWorld } from "./support/fake-world.ts";

const linux = { os: "linux", home: "/home/somebody" };

async function run(args: string[], dataDir: string, input = "", atTerminal = false) {
  const here = fakeWorld({ CLAIMCHECK_DATA_DIR: dataDir });
  const world = { ...here, now: () => Date.now(), readInput: async () => input, atTerminal };
  const code = await main(["answer", ...args], world);
  return { code, printed: here.printed(), complained: here.complained() };
}

/** A question that waits for a person, and the engine that asked it. */
async function waiting(message = "Which way?") {
  const dataDir = temporaryDirectory();
  const config = readConfig({ CLAIMCHECK_DATA_DIR: dataDir, CLAIMCHECK_PROVIDER: "manual" }, linux, {
    needsKey: true,
  });
  const engine = await openEngine(config, silentLog);
  const ask = (text: string, sessionId?: string) =>
    engine.ask(
      { tool: "chat", callerArguments: { message: text }, message: text, settings: {}, sessionId },
      { budgetMs: 5_000, untilHandedOver: true },
    );
  const asked = await ask(message);
  return { dataDir, engine, ask, asked, id: asked.request_id };
}

describe("answer", () => {
  test("brings an answer from standard input, a file, or a terminal that is told how to end", async () => {
    const { dataDir, engine, id, ask, asked } = await waiting();
    expect(await run([id], dataDir, "Left.")).toEqual({
      code: 0,
      printed: `${id} is completed.\n`,
      complained: "",
    });
    expect(await engine.read(id, 0, { budgetMs: 0 })).toMatchObject({ text: "Left.", transcript: "kept" });

    const second = await ask("And then?", asked.session_id);
    const file = join(temporaryDirectory(), "answer.md");
    writeFileSync(file, "Right.");
    const told = await run([second.request_id, "--file", file, "--json"], dataDir);
    expect(JSON.parse(told.printed)).toMatchObject({ status: "completed", request_id: second.request_id });

    const third = await ask("And at last?", asked.session_id);
    expect(third.prompt).toContain("=== Answer 2 ===\n\nRight.");
    const typed = await run([third.request_id], dataDir, "Home.", true);
    expect(typed.complained).toMatch(/end it with Ctrl-D/);
    expect(typed.printed).toBe(`${third.request_id} is completed.\n`);
    await engine.close();
  });

  test("prints the prompt instead, while somebody waits for it", async () => {
    const { dataDir, engine, id } = await waiting();
    expect((await run([id, "--prompt"], dataDir)).printed).toBe("=== Question ===\n\nWhich way?\n");
    await run([id], dataDir, "Left.");
    expect((await run([id, "--prompt"], dataDir)).printed).toBe(
      `${id} is completed and waits for no person.\n`,
    );
    await engine.close();
  });

  test("says why it takes no answer", async () => {
    const { dataDir, engine, id } = await waiting();
    expect((await run([id], dataDir, "  ")).complained).toMatch(/The answer is empty/);
    expect((await run([id, "--file", "/nowhere/at/all"], dataDir)).complained).toMatch(/cannot be read/);
    expect((await run([id], dataDir, "x".repeat(600_000))).complained).toMatch(/limit is 524288/);
    expect((await run([randomUUID()], dataDir, "x")).code).toBe(3);
    expect((await run(["x"], dataDir, "x")).complained).toMatch(/must be a UUID/);
    await run([id], dataDir, "Left.");
    expect((await run([id], dataDir, "Right.")).complained).toMatch(/It is settled/);
    expect((await run([id], join(dataDir, "none"), "x")).complained).toMatch(/No requests yet/);
    await engine.close();
  });

  test("is not needed for what was taken back, and recovering what waits says that it waits", async () => {
    const { dataDir, engine, id } = await waiting();
    expect(await engine.recover(id, { budgetMs: 0 })).toMatchObject({
      status: "streaming",
      next: expect.stringContaining(`claimcheck answer ${id}`),
    });
    await expect(engine.abandon(id)).rejects.toMatchObject({ code: "not_allowed_in_state" });
    expect(await engine.cancel(id, { budgetMs: 5_000 })).toMatchObject({ status: "incomplete" });
    expect((await run([id], dataDir, "Late.")).code).toBe(1);
    await engine.close();
  });
});
