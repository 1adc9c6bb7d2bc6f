import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { accepted, answer, completed, lost, untilAborted } from "../support/scripted-provider.ts";
import { workshop } from "../support/workshop.ts";
import { until } from "../support/world.ts";

const pending = { type: "retrieval.pending", status: "in_progress", model: null, echo: {} } as const;

it("what an ended process left to be collected is collected by the next one, unasked", async () => {
  const { chat, engine, provider, another } = await workshop();
  provider.nextStream(async function* (signal) {
    yield accepted();
    yield { type: "progress", chars: 1, sequence: 1 };
    await untilAborted(signal);
    yield { type: "aborted", partial: null, carry: null };
  });
  provider.retrievals(pending);
  const { request_id } = await chat("left behind", {}, { budgetMs: 100 });
  await engine.close(100);
  expect((await engine.inspect(request_id)).status).toBe("recovery_required");

  provider.retrievals(completed("found"));
  const heir = await another();
  heir.engine.start();
  await until("it is collected", async () => (await heir.store.load(request_id))?.state === "completed");
  expect(provider.sent).toHaveLength(1);
});

it("a stream that is cut after every event is not chased in a loop", async () => {
  const { chat, engine, provider } = await workshop();
  let sequence = 0;
  provider.nextStream([accepted(), lost("reset", 0)]);
  const cutAgain = async function* () {
    sequence += 1;
    yield { type: "attached" } as const;
    yield lost("reset", sequence);
  };
  for (let i = 0; i < 50; i += 1) provider.nextResume(cutAgain);
  provider.retrievals(pending);
  const { request_id } = await chat("cut", {}, { budgetMs: 900 });
  expect(provider.resumed.length).toBeGreaterThan(1);
  expect(provider.resumed.length).toBeLessThan(8);
  expect((await engine.journal(request_id)).length).toBeLessThan(20);
});

it("attaching waits no longer than its caller, however long upstream takes", async () => {
  const { chat, engine, provider } = await workshop();
  provider.nextStream([lost("reset")]);
  const { request_id } = await chat("lost");
  provider.retrieve = async (_id, signal) => {
    await untilAborted(signal);
    return { type: "retrieval.faulted", failure: { code: "connection_failed" }, retryAfterMs: null };
  };
  const started = performance.now();
  await expect(engine.attach(request_id, "resp_9", { budgetMs: 50 })).rejects.toMatchObject({
    code: "upstream_unreachable",
  });
  expect(performance.now() - started).toBeLessThan(2_000);
});

it("a process with a short lease of its own leaves the work of one with a longer lease alone", async () => {
  const { chat, provider, another } = await workshop();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  provider.nextStream(async function* () {
    await held;
    yield accepted();
    yield completed("mine");
  });
  const requestId = randomUUID();
  const asked = chat("slow", { requestId });
  await until("it is sent", () => provider.sent.length === 1 || null);
  const hasty = await another({ policy: { leaseMs: 300 } });
  const seen = await hasty.engine.wait(requestId, { budgetMs: 1_200 });
  expect(seen.status).toBe("claimed");
  finish();
  expect(await asked).toMatchObject({ status: "completed", text: "mine" });
});

it("an answer is filed under its own response id, whatever id was attached meanwhile", async () => {
  const { chat, engine, provider, store } = await workshop();
  provider.nextStream([lost("reset")]);
  const { request_id } = await chat("lost");
  provider.retrievals(pending, {
    type: "upstream.completed",
    outcome: answer("mine", { responseId: "resp_mine" }),
  });
  const view = await engine.attach(request_id, "resp_attached", { budgetMs: 3_000 });
  expect(view).toMatchObject({ status: "completed", text: "mine", response_id: "resp_mine" });
  expect((await store.load(request_id))?.responseId).toBe("resp_mine");
});
