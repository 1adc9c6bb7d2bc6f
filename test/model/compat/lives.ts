/** Requests with eventful lives, each through the whole engine over SQLite. */
import { randomUUID } from "node:crypto";
import { accepted, answer, completed, lost, untilAborted } from "../../support/scripted-provider.ts";
import { mortal, type Workshop, workshop } from "../../support/workshop.ts";
import { until } from "../../support/world.ts";

export interface Life {
  workshop: Workshop;
  id: string;
}

const pending = { type: "retrieval.pending", status: "in_progress", model: null, echo: {} } as const;
const notStarted = {
  type: "upstream.unstarted",
  failure: { code: "connection_failed", cause: "ECONNREFUSED" },
  retryAfterMs: 5,
} as const;

export async function streamed(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([accepted(), completed("forty-two")]);
  const { request_id } = await shop.chat("what?");
  return { workshop: shop, id: request_id };
}

/** The second turn of a conversation, which the model declines, citing its reasons. */
export async function refused(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([accepted("resp_1"), completed("one", "resp_1")]);
  const { session_id: sessionId } = await shop.chat("first");
  const outcome = answer("", {
    responseId: "resp_2",
    refusal: "I would rather not.",
    citations: [{ url: "https://example.org/reasons", title: "Reasons not to" }],
    echo: { store: true, background: true, previousResponseId: "resp_1" },
  });
  shop.provider.nextStream([accepted("resp_2", "resp_1"), { type: "upstream.refused", outcome }]);
  const { request_id } = await shop.chat("second", { sessionId });
  return { workshop: shop, id: request_id };
}

/** Its owner dies in the middle of the stream, upstream cannot find it at once, and an heir collects it. */
export async function recovered(): Promise<Life> {
  const dead = new Set<string>();
  const identity = mortal(dead);
  const shop = await workshop({ identity, dead });
  shop.provider.nextStream(async function* (signal) {
    yield accepted();
    await untilAborted(signal);
  });
  const id = randomUUID();
  await shop.chat("saved", { requestId: id }, { budgetMs: 50 });
  dead.add(identity.owner);
  shop.provider.retrievals({ type: "retrieval.missing" }, pending, completed("late"));
  const heir = await shop.another({ identity: mortal(dead) });
  await heir.chat("saved", { requestId: id });
  return { workshop: heir, id };
}

/** Two wishes to cancel: upstream does not hear the first. */
export async function cancelled(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream(async function* (signal) {
    yield accepted();
    yield { type: "progress", chars: 7, sequence: 1 };
    await untilAborted(signal);
    yield { type: "aborted", partial: answer("partial", { reason: "cancelled" }), carry: null };
  });
  shop.provider.cancels(
    {
      type: "retrieval.faulted",
      failure: { code: "upstream_unavailable", status: 503 },
      retryAfterMs: null,
    },
    { type: "upstream.cancelled", outcome: answer("", { reason: "cancelled" }) },
  );
  const { request_id: id } = await shop.chat("long", {}, { budgetMs: 50 });
  await shop.engine.cancel(id, { budgetMs: 2_000 }).catch(() => undefined);
  await shop.engine.cancel(id, { budgetMs: 2_000 });
  return { workshop: shop, id };
}

/** Given up while upstream still works on it; the answer comes all the same. */
export async function abandoned(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([accepted(), lost("reset")]);
  shop.provider.retrievals(pending);
  const { request_id: id } = await shop.chat("too long", {}, { budgetMs: 200 });
  await shop.engine.abandon(id);
  shop.provider.retrievals(completed("unwanted"));
  await until("the late answer is noted", async () =>
    (await shop.store.journal(id)).some(({ note, payload }) => note > 0 && payload["late"] === true),
  );
  return { workshop: shop, id };
}

/** Nobody knew whether it was made, until a person found it upstream. */
export async function attached(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([lost("reset")]);
  const { request_id: id } = await shop.chat("lost");
  shop.provider.retrievals(completed("found", "resp_9"));
  await shop.engine.attach(id, "resp_9", { budgetMs: 1_000 });
  return { workshop: shop, id };
}

/** Upstream gives it the id of another response, then breaks off: by that id it may never be asked for. */
export async function withATakenId(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([accepted("resp_same"), completed("one", "resp_same")]);
  await shop.chat("a");
  shop.provider.nextStream([accepted("resp_same"), lost("reset")]);
  const { request_id } = await shop.chat("b");
  return { workshop: shop, id: request_id };
}

export async function deferred(): Promise<Life> {
  const shop = await workshop();
  shop.provider.nextStream([notStarted]);
  shop.provider.nextStream([notStarted]);
  shop.provider.nextStream([accepted(), completed("third time lucky")]);
  const { request_id } = await shop.chat("try");
  return { workshop: shop, id: request_id };
}
