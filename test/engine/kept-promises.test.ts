import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  accepted,
  answer,
  completed,
  lost,
  type Script,
  scriptedProvider,
} from "../support/scripted-provider.ts";
import { workshop } from "../support/workshop.ts";
import { until } from "../support/world.ts";

const pending = {
  type: "retrieval.pending",
  status: "in_progress",
  model: null,
  echo: answer("").echo,
} as const;

test("a lease that is renewed is left alone for longer than its term", async () => {
  const policy = { leaseMs: 300 };
  const { chat, provider, another, store } = await workshop({ policy });
  const [held, finish] = heldStream();
  provider.nextStream(held);
  const requestId = randomUUID();
  const asked = chat("slow", { requestId });
  await until("the call is out", () => provider.sent.length > 0);

  const other = await another({ policy });
  await other.engine.wait(requestId, { budgetMs: 5 * policy.leaseMs });
  finish();

  expect(await asked).toMatchObject({ status: "completed", text: "mine" });
  expect((await store.journal(requestId)).map(({ type }) => type)).not.toContain("lease.expired");
});

test("an answer that was pruned is told as pruned, under its own id, and not generated again", async () => {
  const { chat, provider, store, engine } = await workshop();
  provider.nextStream([accepted(), completed("once")]);
  const requestId = randomUUID();
  await chat("a question", { requestId });
  const at = Date.now();
  await store.retain({ at, owner: "me", resultsFinishedBefore: at + 1, sessionsIdleBefore: 0, batch: 50 });

  const again = await chat("a question", { requestId });
  const read = await engine.read(requestId, 0, { budgetMs: 0 });

  expect(again).toMatchObject({ status: "result_pruned", request_id: requestId });
  expect(read).toMatchObject({ status: "result_pruned", request_id: requestId });
  expect(provider.sent).toHaveLength(1);
});

test("a response is asked for only with the key and endpoint that made it", async () => {
  const { chat, provider, another } = await workshop();
  provider.nextStream([accepted("resp_1"), lost("reset")]);
  provider.retrievals(pending);
  const requestId = randomUUID();
  await chat("a question", { requestId }, { budgetMs: 0 });
  const elsewhere = await another({ provider: scriptedProvider("openai", "endpoint-2") });
  elsewhere.provider.retrievals(pending);

  await elsewhere.engine.wait(requestId, { budgetMs: 600 });

  expect(elsewhere.provider.retrieved).toEqual([]);
  expect(elsewhere.provider.resumed).toEqual([]);
});

/** A stream that is accepted and then says nothing until it is let. */
function heldStream(): [Script, () => void] {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* stream() {
    yield accepted();
    await held;
    yield completed("mine");
  }
  return [stream, () => finish()];
}
