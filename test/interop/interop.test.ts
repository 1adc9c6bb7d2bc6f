/** Whichever client a host embeds: it lists, asks, replays, and has its answer even after the server was killed. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isRunning } from "../support/host-process.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { refusal, said, stepIn } from "../support/said.ts";
import { until, type World, world } from "../support/world.ts";
import { type CallOptions, type ClientKind, clientKinds, connect } from "./clients.ts";

const eraOf: Record<ClientKind, string> = {
  "v1 client": "legacy",
  "v2 client, handshake": "legacy",
  "v2 client, modern": "modern",
};

/** A call that is under way upstream and will not end before it is let go. */
async function held(here: World, kind: ClientKind, options: CallOptions = {}) {
  const client = await connect(kind, here);
  await client.toolNames();
  const id = randomUUID();
  here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
  const call = client.call("chat", { message: "Held.", request_id: id }, options);
  call.catch(() => undefined);
  await until("it is being answered", () => here.sim.ledger.holding === 1);
  await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
  return { client, id, call };
}

describe.each(clientKinds)("a %s", (kind) => {
  test("lists the tools, asks, and is answered the same again without a second call", async () => {
    const here = await world();
    const client = await connect(kind, here);
    expect(client.era).toBe(eraOf[kind]);
    expect(client.instructions).toMatch(/request_id/);
    expect(await client.toolNames()).toEqual(["chat", "answers", "sessions", "request_status"]);
    const ask = { message: "What is six by seven?", request_id: randomUUID() };

    const first = await client.call("chat", ask);
    const second = await client.call("chat", ask);

    expect([first.isError, second.isError]).toEqual([false, false]);
    const answer = said(first);
    expect(answer).toMatchObject({
      status: "completed",
      request_id: ask.request_id,
      text: "You said: What is six by seven?",
    });
    const { text, response_id, session_id } = answer;
    expect(said(second)).toMatchObject({
      status: "completed",
      text,
      response_id,
      session_id,
      replayed: true,
    });
    expect(requestRow(here.dataDir, ask.request_id)).toMatchObject({
      state: "completed",
      responseId: response_id,
    });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("is told what is wrong with a call in a result, not in an exception", async () => {
    const here = await world();
    const client = await connect(kind, here);
    await client.toolNames();

    const wrong = refusal(await client.call("chat", { message: "Hi.", modle: "x" }), "invalid_arguments");
    expect(wrong["message"]).toContain("modle");
    refusal(await client.call("answers", { action: "wait", request_id: randomUUID() }), "unknown_request");
    here.sim.script({ scenario: "unsupported_parameter" });
    const failed = await client.call("chat", { message: "Hi." });
    expect(failed.isError).toBe(true);
    expect(said(failed)).toMatchObject({ status: "failed", failure: { upstream_param: "temperature" } });
    expect(here.sim.ledger.posts).toBe(0);
  });

  test("hears of progress, cancels, and collects what it no longer waited for", async () => {
    const here = await world();
    const heard: { progress: number; message?: string | undefined }[] = [];
    const cancel = new AbortController();
    const { client, id, call } = await held(here, kind, {
      signal: cancel.signal,
      onprogress: (progress) => heard.push(progress),
    });
    await until("it heard of progress", () => heard.length > 0);

    cancel.abort("the user pressed escape");
    await expect(call).rejects.toThrow();
    expect(said(await client.call("chat", { message: "Next." }))).toMatchObject({ status: "completed" });
    here.sim.release();

    const { status, text } = said(await client.call("answers", { action: "wait", request_id: id }));
    expect({ status, text }).toEqual({ status: "completed", text: "You said: Held." });
    expect(heard[0]).toMatchObject({
      progress: 1,
      message: expect.stringMatching(/^(claimed|streaming) · /),
    });
    expect(here.sim.ledger.posts).toBe(2);
    expect(here.sim.ledger.cancels).toBe(0);
  });

  test.each(clientKinds)(
    "whose server was killed in the middle of a call has its answer from a %s",
    async (nextKind) => {
      const here = await world();
      const { client, id, call } = await held(here, kind);

      process.kill(client.pid, "SIGKILL");
      await expect(call).rejects.toThrow();
      here.sim.release();

      const next = await connect(nextKind, here);
      await next.toolNames();
      const inbox = said(await next.call("answers", { action: "inbox" }));
      const step = stepIn(
        [inbox["attention"], inbox["unread"], inbox["running"]].flat().map(nextOf).join(" "),
      );
      expect(step.args).toMatchObject({ request_id: id });
      const answer = await next.call(step.tool, step.args);
      expect(answer.isError).toBe(false);
      expect(said(answer)).toMatchObject({ status: "completed", request_id: id, text: "You said: Held." });
      const again = said(await next.call("chat", { message: "Held.", request_id: id }));
      expect(again).toMatchObject({ status: "completed", text: "You said: Held.", replayed: true });
      expect(requestRow(here.dataDir, id)).toMatchObject({ state: "completed", delivered: 1 });
      expect(here.sim.ledger.posts).toBe(1);
    },
  );

  test("leaves no server behind when it closes in the middle of a call", async () => {
    const here = await world();
    const { client, id, call } = await held(here, kind);

    const since = performance.now();
    await client.close();
    await until("the server is gone", () => !isRunning(client.pid));

    expect(performance.now() - since).toBeLessThan(2_000);
    await expect(call).rejects.toThrow();
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "recovery_required", owner: null });
    here.sim.release();
  });
});

const nextOf = (line: unknown) =>
  typeof line === "object" && line !== null && "next" in line ? String(line.next) : "";
