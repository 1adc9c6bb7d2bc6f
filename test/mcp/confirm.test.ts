/** One yes is one action: a retry with anything but the yes to this very question is asked, or does nothing. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { accepted, completed } from "../support/scripted-provider.ts";
import { type Workshop, workshop } from "../support/workshop.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { replies } from "./support/person.ts";
import { type Heard, type RetryingHost, retryingHost } from "./support/retry.ts";
import { aRequest, aSession } from "./support/views.ts";

async function hostOn(engine: Engine): Promise<RetryingHost> {
  const host = await retryingHost(engine);
  onTestFinished(() => host.close());
  return host;
}

function stateOf(heard: Heard): string {
  if (heard.kind !== "asked") throw new Error(`it was not asked: ${JSON.stringify(heard)}`);
  return heard.state;
}

const deleting = (session_id: string) => ["sessions", { operation: "delete", session_id }] as const;
const abandoning = (request_id: string) => ["request_status", { action: "abandon", request_id }] as const;

function answered(shop: Workshop, responseId: string) {
  shop.provider.nextStream([accepted(responseId), completed("Yes.", responseId)]);
  return shop.chat(`What of ${responseId}?`);
}

/** Two sessions with an answer each, and a host over the real store. */
async function twoSessions() {
  const shop = await workshop();
  const host = await hostOn(shop.engine);
  const one = await answered(shop, "resp_1");
  const two = await answered(shop, "resp_2");
  return { shop, host, one: one.session_id, two: two.session_id };
}

const isThere = ({ engine }: Workshop, session: string) =>
  engine.session(session).then(
    () => true,
    () => false,
  );

describe("a yes", () => {
  test("does what was asked, once", async () => {
    const { shop, host, one, two } = await twoSessions();
    const state = stateOf(await host.call(...deleting(one)));
    const done = await host.call(...deleting(one), { reply: replies.yes, state });
    expect(done).toMatchObject({ kind: "answered", said: { status: "ok", deleted: true } });
    const again = await host.call(...deleting(one), { reply: replies.yes, state });
    expect(again).toMatchObject({ kind: "answered", isError: true, said: { code: "unknown_session" } });
    expect(await isThere(shop, two)).toBe(true);
  });

  test("counts in another process on the same database, when the one that asked is gone", async () => {
    const { shop, host, one } = await twoSessions();
    const state = stateOf(await host.call(...deleting(one)));
    await host.close();
    const next = await hostOn((await shop.another()).engine);
    const done = await next.call(...deleting(one), { reply: replies.yes, state });
    expect(done).toMatchObject({ said: { deleted: true } });
  });

  test("counts for the session that was asked about, not for the one that has its name now", async () => {
    const { shop, host, one, two } = await twoSessions();
    const named = (id: string, name: string) =>
      shop.engine.configureSession(id, { name, settings: {}, unset: [] });
    await named(one, "Plan B");
    const state = stateOf(await host.call(...deleting("Plan B")));
    await named(one, "Plan A");
    await named(two, "Plan B");
    expect(await host.call(...deleting("Plan B"), { reply: replies.yes, state })).toMatchObject({
      kind: "asked",
      text: expect.stringContaining(two),
    });
    expect(await isThere(shop, two)).toBe(true);
  });

  test.each<[string, (own: string, others: string) => string | undefined]>([
    ["without what came with the question", () => undefined],
    ["with what came with another question", (_, others) => others],
    ["with something made up", () => "yes"],
    ["with an empty state", () => ""],
    ["with its date moved on", (own) => own.replace(/^\d+/, (until) => String(Number(until) + 1))],
    ["with its seal cut short", (own) => own.slice(0, -1)],
    ["with its seal changed", (own) => own.slice(0, -1) + (own.endsWith("A") ? "B" : "A")],
  ])("%s is asked for again", async (_, forged) => {
    const { shop, host, one, two } = await twoSessions();
    const [own, others] = [
      stateOf(await host.call(...deleting(one))),
      stateOf(await host.call(...deleting(two))),
    ];
    const heard = await host.call(...deleting(one), { reply: replies.yes, state: forged(own, others) });
    expect(heard.kind).toBe("asked");
    expect(await isThere(shop, one)).toBe(true);
  });

  test("to deleting is none to giving up", async () => {
    const shop = await workshop();
    const engine: Engine = {
      ...shop.engine,
      inspect: async (id) => aRequest({ request_id: id, status: "unknown_outcome" }),
      abandon: async () => expect.fail("given up without a yes"),
    };
    const host = await hostOn(engine);
    const { session_id, request_id } = await answered(shop, "resp_1");
    const state = stateOf(await host.call(...deleting(session_id)));
    const heard = await host.call(...abandoning(request_id), { reply: replies.yes, state });
    expect(heard.kind).toBe("asked");
  });

  test("that comes much later is asked for again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { host, one } = await twoSessions();
    const state = stateOf(await host.call(...deleting(one)));
    vi.setSystemTime(Date.now() + 3_600_001);
    expect((await host.call(...deleting(one), { reply: replies.yes, state })).kind).toBe("asked");
  });
});

test("what is shown while it is collected can be given up, however often its record is written", async () => {
  let looks = 0;
  const engine = fakeEngine({
    inspect: async (id) => {
      looks += 1;
      const at = new Date(looks * 1_000).toISOString();
      const timings = { created_at: at, updated_at: at, elapsed_ms: looks };
      return aRequest({ request_id: id, status: "recovery_required", timings });
    },
  });
  const host = await hostOn(engine);
  const id = randomUUID();
  const state = stateOf(await host.call(...abandoning(id)));
  const done = await host.call(...abandoning(id), { reply: replies.yes, state });
  expect(done).toMatchObject({ said: { status: "abandoned" } });
});

/** Sessions that change, and a ledger of what was deleted in which state. */
function changingSessions(count: number) {
  const sessions = Array.from({ length: count }, () => ({ id: randomUUID(), requests: 1, deleted: 0 }));
  const found = (id: string) => {
    const session = sessions.find((candidate) => candidate.id === id && candidate.deleted === 0);
    if (session === undefined) throw new ClaimcheckError("unknown_session", "No such session here.");
    return session;
  };
  const view = ({ id, requests }: (typeof sessions)[number]) =>
    aSession({ session_id: id, counts: { requests, completed: requests, unresolved: 0, live: 0 } });
  const engine = fakeEngine({
    session: async (id) => view(found(id)),
    deleteSession: async (id) => {
      const session = found(id);
      session.deleted += 1;
      return view(session);
    },
  });
  return { engine, sessions };
}

const retry = fc.record({
  session: fc.nat(1),
  reply: fc.constantFrom(...Object.keys(replies), "none"),
  /** One of the questions asked so far, or none of them. */
  of: fc.option(fc.nat(20)),
  /** Whether the session changes first. */
  grows: fc.boolean(),
});

test("no sequence of questions, replies and retries deletes twice, or without a yes to what is there", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(retry, { maxLength: 12 }), async (steps) => {
      const { engine, sessions } = changingSessions(2);
      const host = await retryingHost(engine);
      const questions: { session: number; requests: number; state: string }[] = [];
      for (const { session: index, reply, of, grows } of steps) {
        const session = sessions[index];
        if (session === undefined) continue;
        if (grows) session.requests += 1;
        const shown = of === null ? undefined : questions[of % Math.max(1, questions.length)];
        const before = session.deleted;
        const heard = await host.call(...deleting(session.id), {
          reply: Object.entries(replies).find(([name]) => name === reply)?.[1],
          state: shown?.state,
        });
        const isYesToThis =
          reply === "yes" && shown?.session === index && shown.requests === session.requests && before === 0;
        expect(session.deleted - before).toBe(isYesToThis ? 1 : 0);
        if (heard.kind === "asked")
          questions.push({ session: index, requests: session.requests, state: heard.state });
      }
      for (const { deleted } of sessions) expect(deleted).toBeLessThanOrEqual(1);
      await host.close();
    }),
    { numRuns: 150 },
  );
});
