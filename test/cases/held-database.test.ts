/** A database that another program holds for long: nobody waits longer than asked, and no answer is kept back. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { hold } from "../support/database.ts";
import { refusal, said } from "../support/said.ts";
import { until, world } from "../support/world.ts";

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await work;
  return { result, ms: performance.now() - started };
}

test("a claim is refused inside its wait, having sent nothing, and the same call goes through afterwards", async () => {
  const here = await world();
  const server = await here.server();
  await server.call("sessions", { operation: "list" });
  const release = hold(here.dataDir);
  const ask = { message: "Anybody there?", request_id: randomUUID(), wait_ms: 2_000 };

  const { result, ms } = await timed(server.call("chat", ask));

  const told = refusal(result, "storage_unavailable");
  expect(told["next"]).toMatch(/Nothing was sent/);
  expect(ms).toBeLessThan(5_000);
  expect(here.sim.ledger.attempts).toBe(0);
  release();
  expect(said(await server.call("chat", ask))).toMatchObject({ status: "completed" });
  expect(here.sim.ledger.posts).toBe(1);
});

test("an answer that is there is given, though it cannot be marked as read; it stays unread until it can", async () => {
  const here = await world();
  const server = await here.server();
  const id = randomUUID();
  here.sim.script({ scenario: { hold: ["before_terminal"] } });
  await server.call("chat", { message: "Later.", request_id: id, wait_ms: 0 });
  await until("it is being answered", () => here.sim.ledger.holding === 1);
  here.sim.release();
  const unread = async () => said(await server.call("answers", { action: "inbox" }))["unread"];
  await until("it is finished", async () => ((await unread()) as unknown[]).length === 1);
  const release = hold(here.dataDir);

  const { result, ms } = await timed(
    server.call("answers", { action: "wait", request_id: id, wait_ms: 1_000 }),
  );

  expect(said(result)).toMatchObject({ status: "completed", text: "You said: Later." });
  expect(ms).toBeLessThan(4_000);
  expect(await unread()).toMatchObject([{ request_id: id }]);
  release();
  await until("it is read", async () => ((await unread()) as unknown[]).length === 0);
  expect(here.sim.ledger.posts).toBe(1);
});
