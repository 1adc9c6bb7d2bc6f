/** A person answers: the prompt goes out, the answer may come at any time, from any process, and nothing is paid. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { select } from "../support/database.ts";
import { refusal } from "../support/said.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { tell } from "../support/told.ts";
import { temporaryDirectory, world } from "../support/world.ts";

async function here(env = {}) {
  const { sim, dataDir, server } = await world();
  const settings = { CLAIMCHECK_PROVIDER: "manual", OPENAI_API_KEY: "", OPENAI_MODEL: "", ...env };
  const run = (args: string[], input = "") => {
    const options = { upstream: sim.url, dataDir, env: settings };
    const { status, stdout, stderr } = spawnSync(process.execPath, [serverFile, ...args], {
      input,
      encoding: "utf8",
      env: serverEnvironment(options),
      timeout: 20_000,
    });
    return { code: status, stdout, stderr };
  };
  return { sim, dataDir, run, start: (more = {}) => server({ env: { ...settings, ...more } }) };
}

describe("a request to a person", () => {
  test("gives out the prompt, waits without an owner, and takes the answer from another process", async () => {
    const { sim, dataDir, run, start } = await here();
    const server = await start();
    const asked = { message: "Which way?", instructions: "Be kind.", request_id: randomUUID() };

    const receipt = await tell(server, "chat", { ...asked, wait_ms: 2_000 });

    expect(receipt).toMatchObject({
      isError: false,
      status: "streaming",
      provider: "manual",
      transcript: "kept",
    });
    expect(receipt["prompt"]).toBe("=== Instructions ===\n\nBe kind.\n\n=== Question ===\n\nWhich way?");
    expect(receipt["next"]).toContain(`claimcheck answer ${asked.request_id}`);
    expect(select(dataDir, "select state, owner, lease_until from requests")).toEqual([
      { state: "streaming", owner: null, lease_until: null },
    ]);
    const waiting = tell(server, "answers", {
      action: "wait",
      request_id: asked.request_id,
      wait_ms: 15_000,
    });

    const answered = run(["answer", asked.request_id], "Left, then straight on.\n");

    expect(answered).toEqual({ code: 0, stdout: `${asked.request_id} is completed.\n`, stderr: "" });
    expect(await waiting).toMatchObject({
      status: "completed",
      text: "Left, then straight on.\n",
      warnings: [],
    });
    expect(await tell(server, "chat", asked)).toMatchObject({
      replayed: true,
      text: "Left, then straight on.\n",
    });
    expect(sim.ledger.attempts).toBe(0);
  });

  test("outlives the server that asked, whatever its deadline, and shows its prompt to whoever comes", async () => {
    const { run, start } = await here({ CLAIMCHECK_TIMEOUT_MS: "1000", CLAIMCHECK_LEASE_MS: "300" });
    const first = await start();
    const { request_id } = await tell(first, "chat", { message: "Still there?", wait_ms: 1_000 });
    await first.kill();

    const second = await start();
    const later = await tell(second, "answers", { action: "wait", request_id, wait_ms: 2_500 });

    expect(later).toMatchObject({
      isError: false,
      status: "streaming",
      prompt: expect.stringContaining("Still there?"),
    });
    expect(run(["answer", String(request_id), "--prompt"]).stdout).toBe("=== Question ===\n\nStill there?\n");
    expect(run(["answer", String(request_id)], "Yes.").code).toBe(0);
    expect(await tell(second, "answers", { action: "read", request_id })).toMatchObject({ text: "Yes." });
  });

  test("is answered once: the first answer counts", async () => {
    const { run, start } = await here();
    const server = await start();
    const { request_id } = await tell(server, "chat", { message: "Tea?", wait_ms: 0 });
    const id = String(request_id);

    expect(run(["answer", id], "Yes.").code).toBe(0);
    const again = run(["answer", id], "No.");

    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/It is settled; what it has is kept/);
    expect(await tell(server, "answers", { action: "read", request_id })).toMatchObject({ text: "Yes." });
  });

  test("carries the conversation in its prompt, and a file may hold the answer", async () => {
    const { run, start } = await here();
    const server = await start();
    const first = await tell(server, "chat", { message: "One?", wait_ms: 0 });
    const file = join(temporaryDirectory(), "answer.txt");
    writeFileSync(file, "1.");
    expect(run(["answer", String(first["request_id"]), "--file", file, "--json"]).stdout).toContain(
      '"completed"',
    );
    const { prompt } = await tell(server, "chat", {
      message: "Two?",
      session_id: first["session_id"],
      wait_ms: 0,
    });
    expect(prompt).toBe(
      "=== Question 1 ===\n\nOne?\n\n=== Answer 1 ===\n\n1.\n\n=== Question now ===\n\nTwo?",
    );
  });

  test("of a second opinion asks for its sections, which come back as fields", async () => {
    const { run, start } = await here();
    const server = await start();
    const asked = await tell(server, "review_plan", { question: "Good?", wait_ms: 0 });
    expect(asked["prompt"]).toMatch(
      /=== Answer ===\n\nWrite Markdown with these headings: summary, recommendation/,
    );
    run(["answer", String(asked["request_id"])], "## Summary\nGood.");
    expect(await tell(server, "answers", { action: "read", request_id: asked["request_id"] })).toMatchObject({
      sections: { summary: "Good." },
    });
  });

  test("takes no live slot, however many wait", async () => {
    const { start } = await here({ CLAIMCHECK_MAX_LIVE: "1" });
    const server = await start();
    for (let n = 0; n < 4; n += 1)
      expect(await tell(server, "chat", { message: `Number ${n}?`, wait_ms: 0 })).toMatchObject({
        prompt: expect.any(String),
      });
    expect(await tell(server, "answers", { action: "inbox" })).toMatchObject({ running: [{}, {}, {}, {}] });
  });

  test("is taken back at once when it is cancelled, and not given up while somebody may answer", async () => {
    const { run, start } = await here();
    const server = await start();
    const { request_id, session_id } = await tell(server, "chat", { message: "Hm?", wait_ms: 0 });
    refusal(await server.call("request_status", { action: "abandon", request_id }), "not_allowed_in_state");

    const cancelled = await tell(server, "request_status", { action: "cancel", request_id });

    expect(cancelled).toMatchObject({ status: "incomplete", incomplete_reason: "cancelled" });
    expect(run(["answer", String(request_id)], "Too late.").code).toBe(1);
    const next = await tell(server, "chat", { message: "Again?", session_id, wait_ms: 0 });
    expect(next["prompt"]).toBe("=== Question ===\n\nAgain?");
  });

  test("refuses an answer that is none, is too long, or is for somebody else's request", async () => {
    const { sim, run, start } = await here({
      CLAIMCHECK_MAX_RESULT_BYTES: "65536",
      OPENAI_API_KEY: "test-key-not-real",
    });
    const server = await start();
    const { request_id } = await tell(server, "chat", { message: "Well?", wait_ms: 0 });
    const id = String(request_id);

    expect(run(["answer", id], " \n").stderr).toMatch(/The answer is empty/);
    expect(run(["answer", id], "x".repeat(40_000)).stderr).toMatch(/limit is 32768/);
    expect(run(["answer", randomUUID()], "x").code).toBe(3);
    expect(run(["answer", "nonsense"], "x").code).toBe(2);
    const paid = await tell(server, "chat", { message: "Hi.", provider: "openai", model: "gpt-sim" });
    expect(run(["answer", String(paid["request_id"])], "x").stderr).toMatch(
      /only requests to the manual provider/,
    );
    expect(sim.ledger.posts).toBe(1);
    expect(await tell(server, "request_status", { request_id })).toMatchObject({ status: "streaming" });
  });
});
