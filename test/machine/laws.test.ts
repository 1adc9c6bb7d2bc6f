import fc from "fast-check";
import { expect, describe as group, test } from "vitest";
import { begin, decide } from "../../machines/decide.ts";
import type { RequestEvent } from "../../machines/events.ts";
import type { RequestInput } from "../../machines/request.ts";
import {
  isFinal,
  machineVersion,
  persist,
  type RequestSnapshot,
  rehydrate,
  stateOf,
} from "../../machines/snapshots.ts";
import { events, profiles } from "./samples.ts";
import { shortestPaths } from "./walk.ts";

const reached = [...distinct(Object.values(profiles).flatMap(placesOn))];

group("whatever happens, in whatever order", () => {
  const anyInput = fc.constantFrom(...Object.values(profiles));
  const anyEvents = fc.array(fc.constantFrom(...events), { minLength: 1, maxLength: 14 });

  test("a settled request stays as it is and asks for nothing", () => {
    fc.assert(
      fc.property(anyInput, anyEvents, (input, happened) => {
        const settled = after(input, happened);
        fc.pre(settled.status === "done");
        for (const event of events) {
          expect(decide(settled, event)).toEqual({ next: settled, effects: [], changed: false });
        }
      }),
    );
  });

  test("a request is paid for at most once after the last attempt that provably never started", () => {
    fc.assert(
      fc.property(anyInput, anyEvents, (input, happened) => {
        let snapshot = begin(input).next;
        let outstanding = 1;
        for (const event of happened) {
          const { next, effects, changed } = decide(snapshot, event);
          if (changed && event.type === "upstream.unstarted") outstanding -= 1;
          outstanding += effects.filter(({ type }) => type === "openStream").length;
          expect(outstanding).toBeLessThanOrEqual(1);
          snapshot = next;
        }
      }),
    );
  });

  test("a restart between any two events changes nothing", () => {
    fc.assert(
      fc.property(anyInput, anyEvents, (input, happened) => {
        let kept = begin(input).next;
        let restarted = kept;
        for (const event of happened) {
          const [one, other] = [decide(kept, event), decide(stored(restarted), event)];
          expect(other.effects).toEqual(one.effects);
          expect(other.changed).toBe(one.changed);
          expect(persist(other.next)).toEqual(persist(one.next));
          [kept, restarted] = [one.next, other.next];
        }
      }),
    );
  });
});

group(`in each of the ${reached.length} places a request can be`, () => {
  test("an event either changes something or is the same object, with nothing to do", () => {
    const ignored = reached.flatMap((place) =>
      events.map((event) => ({ place, ...decide(place, event) })).filter(({ changed }) => !changed),
    );
    expect(ignored.length).toBeGreaterThan(reached.length);
    expect(ignored.filter(({ place, next, effects }) => next !== place || effects.length > 0)).toEqual([]);
  });

  test("a caller can end it, or somebody still works on it", () => {
    for (const place of reached.filter(({ status }) => status === "active")) {
      const abandoned = decide(place, { type: "caller.abandoned", at: 0 });
      const live = place.hasTag("live");
      expect(stateOf(abandoned.next) === "abandoned").toBe(!live);
    }
  });

  test("a full answer is taken wherever it can still come", () => {
    for (const place of reached.filter(({ status }) => status === "active")) {
      if (typeof place.value === "object" && place.value.claimed === "deferred") continue;
      for (const event of events.filter(({ type }) => type === "upstream.completed")) {
        expect(stateOf(decide(place, event).next)).toBe("completed");
      }
    }
  });

  test("what is stored comes back as it was", () => {
    for (const place of reached) {
      const back = stored(place);
      expect(back.value).toEqual(place.value);
      expect(back.context).toEqual(place.context);
      expect(back.status).toBe(place.status);
      expect(isFinal(stateOf(back))).toBe(back.status === "done");
    }
  });
});

function after(input: RequestInput, happened: readonly RequestEvent[]): RequestSnapshot {
  return happened.reduce((snapshot, event) => decide(snapshot, event).next, begin(input).next);
}

function stored(snapshot: RequestSnapshot): RequestSnapshot {
  return rehydrate(machineVersion, JSON.parse(JSON.stringify(persist(snapshot))));
}

function placesOn(input: RequestInput): RequestSnapshot[] {
  return shortestPaths(input).flatMap((path) => path.flatMap(({ before, after: next }) => [before, next]));
}

function distinct(places: readonly RequestSnapshot[]): Iterable<RequestSnapshot> {
  return new Map(places.map((place) => [JSON.stringify([place.value, place.context]), place])).values();
}
