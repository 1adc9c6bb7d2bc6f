/**
 * What can be seen of the machine without living a request. Reachability, lost owners, names and words are the
 * promises of test/machine/shape.test.ts; here stands what it does not say.
 */
import { expect, describe as group, test } from "vitest";
import { initialTransition, transition } from "xstate";
import { begin, decide } from "../../machines/decide.ts";
import { type Effect, type EffectType, effectKinds } from "../../machines/effects.ts";
import { requestMachine } from "../../machines/request.ts";
import { leaving } from "../../src/chart/describe.ts";
import { requestChart } from "../../src/chart/request-picture.ts";
import { createPerformer } from "../../src/engine/perform.ts";
import type { Streams } from "../../src/engine/streams.ts";
import { createDesk, newJob } from "../../src/engine/work.ts";
import type { RequestRecord } from "../../src/store/store.ts";
import { firstTurn, profiles, sample, soon, start } from "../machine/samples.ts";
import { aClaim } from "../store/life.ts";
import { scriptedProvider } from "../support/scripted-provider.ts";
import { owner } from "./door/place.ts";
import { createHandClock } from "./world/hand-clock.ts";

group("the machine", () => {
  const finals = requestChart.states.filter(({ type }) => type === "final");

  test("has no way out of a final state, and does nothing on leaving any state", () => {
    expect(finals).toHaveLength(5);
    for (const { path, exit } of finals) expect([...leaving(requestChart, path), ...exit]).toEqual([]);
    expect(requestChart.states.flatMap(({ exit }) => exit)).toEqual([]);
  });

  test("has nothing on its root that could move a finished request", () => {
    expect([...requestMachine.root.transitions.keys()]).toEqual([]);
    const { next } = decide(begin(firstTurn).next, sample("upstream.completed"));
    expect(transition(requestMachine, next, sample("caller.cancelled"))).toEqual([next, []]);
  });

  test.each(Object.entries(profiles))("begins the same way each time: %s", (_, input) => {
    const [one, other] = [begin(input), begin(structuredClone(input))];
    expect(one.next.context).toEqual(other.next.context);
    expect(one.effects).toEqual(other.effects);
    expect(one.next.context).toMatchObject(input);
  });

  test("begins without a clock or a die", () => {
    const realNow = Date.now;
    const realRandom = Math.random;
    const forbidden = () => {
      throw new Error("A machine looks at no clock and throws no die.");
    };
    Object.assign(Date, { now: forbidden });
    Object.assign(Math, { random: forbidden });
    try {
      expect(begin(firstTurn).next.status).toBe("active");
      const [bare] = Reflect.apply(initialTransition, undefined, [requestMachine, undefined]);
      expect(bare.status).toBe("active");
    } finally {
      Object.assign(Date, { now: realNow });
      Object.assign(Math, { random: realRandom });
    }
  });
});

group("an effect the machine names is performed by the engine", () => {
  const orders = {
    openStream: [{ type: "openStream" }, ["send"]],
    awaitRetry: [{ type: "awaitRetry", until: soon }, ["act retry.due"]],
    recover: [{ type: "recover", responseId: "resp_1" }, ["collect"]],
    cancelUpstream: [
      { type: "cancelUpstream", responseId: "resp_1" },
      ["cancel resp_1", "act cancel.faulted"],
    ],
    stopStream: [{ type: "stopStream" }, ["end cancel"]],
    // Part of the commit itself: that they are in it is shown on every path at the door.
    keepResult: [{ type: "keepResult" }, []],
    advanceSession: [{ type: "advanceSession", responseId: "resp_1" }, []],
  } as const satisfies Record<EffectType, readonly [Effect, readonly string[]]>;

  test.each(Object.entries(orders))("%s", async (type, [effect, expected]) => {
    expect(effectKinds).toHaveProperty(type);
    expect(await doneAbout(effect)).toEqual(expected);
  });
});

/** What the engine's parts are told to do about `effect`, in order. */
async function doneAbout(effect: Effect): Promise<string[]> {
  const done: string[] = [];
  const provider = scriptedProvider("test");
  const clock = createHandClock(start);
  const desk = createDesk((error) => {
    throw error;
  });
  const note = async (what: string) => void done.push(what);
  const streams: Streams = {
    send: () => note("send"),
    reattach: async () => false,
    end: (_, why) => note(`end ${why}`),
  };
  const perform = createPerformer({
    providers: new Map([[provider.name, provider]]),
    streams,
    collector: {
      ensure: () => void done.push("collect"),
      hurry: () => {},
      isCollecting: () => false,
      waitedFor: () => ({ done: () => {} }),
      stop: () => {},
    },
    act: async (_, event) => {
      done.push(`act ${event.type}`);
      return { kind: "gone" };
    },
    desk,
    clock,
    identity: owner,
  });
  const record = aRecord();
  desk.jobs.set(record.id, newJob(record, callOf(record)));
  perform(record, [effect]);
  clock.advance(soon - start);
  await desk.idle();
  return [...provider.cancelled.map((id) => `cancel ${id}`), ...done];
}

function aRecord(): RequestRecord {
  const { id, tool, provider, endpoint, settings, state, machineVersion, snapshot, at } = aClaim();
  return {
    ...{ id, tool, provider, endpoint, settings, state, machineVersion, snapshot },
    sessionId: id,
    turn: 1,
    version: 0,
    epoch: 1,
    owner: owner.owner,
    leaseUntil: at,
    responseId: null,
    usage: null,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
    deliveredAt: null,
    prunedAt: null,
  };
}

function callOf({ id, settings }: RequestRecord) {
  return {
    requestId: id,
    message: "A question.",
    instructions: null,
    previousResponseId: null,
    transcript: [],
    format: null,
    settings,
  };
}
