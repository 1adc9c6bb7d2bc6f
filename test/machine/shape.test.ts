import { expect, describe as group, test } from "vitest";
import { initialTransition } from "xstate";
import { effectKinds } from "../../machines/effects.ts";
import { eventAuthority, requestEventSchema } from "../../machines/events.ts";
import { requestMachine } from "../../machines/request.ts";
import { machineVersion } from "../../machines/snapshots.ts";
import { requestStates, stateCards } from "../../machines/states.ts";
import { type ChartState, leaving } from "../../src/chart/describe.ts";
import { requestChart } from "../../src/chart/request-picture.ts";

const { states, transitions } = requestChart;
const isLeaf = ({ type }: ChartState) => type !== "compound";
const open = states.filter((state) => isLeaf(state) && state.type !== "final");

group("the machine's shape", () => {
  test("has the nine states everybody knows, and two inside claimed", () => {
    expect(states.filter(({ parent }) => parent === null).map(({ name }) => name)).toEqual([
      ...requestStates,
    ]);
    expect(states.filter(({ parent }) => parent === "claimed").map(({ name }) => name)).toEqual([
      "sending",
      "deferred",
    ]);
  });

  test("can reach every state from the claim", () => {
    expect(reachable("claimed.sending")).toEqual(new Set(states.filter(isLeaf).map(({ path }) => path)));
  });

  test.each(open.map(({ path }) => path))("can end from %s", (path) => {
    const ends = [...reachable(path)].filter((reached) => stateAt(reached)?.type === "final");
    expect(ends).not.toEqual([]);
  });

  test.each(open.map(({ path }) => path))("says for %s what a lost owner means", (path) => {
    const onOwnerLost = stateAt(path)?.meta["onOwnerLost"];
    expect(["lease.expired", null]).toContain(onOwnerLost);
    const handled = leaving(requestChart, path).some(({ event }) => event === "lease.expired");
    expect(handled).toBe(onOwnerLost === "lease.expired");
  });

  test("has nothing that needs a clock, a child or a memory of its own", () => {
    for (const id of ["request", ...states.map(({ path }) => `request.${path}`)]) {
      const node = requestMachine.getStateNodeById(id);
      expect(node.invoke).toEqual([]);
      expect(node.after).toEqual([]);
      expect(node.always ?? []).toEqual([]);
      expect(node.type).not.toBe("history");
    }
    expect(leaving(requestChart, "")).toEqual([]);
  });

  test("begins without input too, since XState asks it to on every transition", () => {
    const [snapshot] = Reflect.apply(initialTransition, undefined, [requestMachine, undefined]);
    expect(snapshot.status).toBe("active");
    expect(Object.values(snapshot.context)).not.toContain(undefined);
  });

  test("bears its stored version", () => {
    expect(requestChart.version).toBe(String(machineVersion));
  });

  test("gives each state a sentence, a phase, and a sign for those who see no colour", () => {
    for (const name of requestStates) {
      const { phase, glyph, ascii, sentence } = stateCards[name];
      expect(stateAt(name)).toMatchObject({ description: sentence, tags: [phase] });
      expect([...glyph]).toHaveLength(1);
      expect(ascii).toMatch(/^[\x21-\x7e]$/);
    }
    for (const signs of [
      requestStates.map((name) => stateCards[name].glyph),
      requestStates.map((name) => stateCards[name].ascii),
    ]) {
      expect(new Set(signs).size).toBe(requestStates.length);
    }
    expect(states.filter(({ description }) => description === null)).toEqual([]);
  });
});

group("what the machine hears and asks for", () => {
  const known = requestEventSchema.options.map((option) => option.shape.type.value);

  test("is every event there is, and no other", () => {
    expect(new Set(transitions.map(({ event }) => event))).toEqual(new Set(known));
    expect(Object.keys(eventAuthority).sort()).toEqual([...known].sort());
  });

  test("is every effect there is, each asked for somewhere", () => {
    const orders = [
      ...states.flatMap(({ entry, exit }) => [...entry, ...exit]),
      ...transitions.flatMap(({ actions }) => actions),
    ];
    const asked = new Set(orders.map(({ type }) => type).filter((type) => type in effectKinds));
    expect(asked).toEqual(new Set(Object.keys(effectKinds)));
  });

  test.each(Object.keys(effectKinds))("is never done by the machine itself: %s", (type) => {
    const action: unknown = Reflect.get(requestMachine.implementations.actions, type);
    expect(action).toBeTypeOf("function");
    expect(() => Reflect.apply(Object(action), undefined, [{}, {}])).toThrow(/performed by the engine/);
  });

  test("is written with guards and actions that exist, none left over", () => {
    const guards = new Set(transitions.flatMap(({ guard }) => (guard === null ? [] : [guard.type])));
    const orders = [
      ...states.flatMap(({ entry }) => entry),
      ...transitions.flatMap(({ actions }) => actions),
    ];
    expect(guards).toEqual(new Set(Object.keys(requestMachine.implementations.guards)));
    expect(new Set(orders.map(({ type }) => type))).toEqual(
      new Set(Object.keys(requestMachine.implementations.actions)),
    );
  });
});

function reachable(from: string): Set<string> {
  const reached = new Set([from]);
  for (const path of reached) {
    for (const { target } of leaving(requestChart, path)) if (target !== null) reached.add(target);
  }
  return reached;
}

function stateAt(path: string): ChartState | undefined {
  return states.find((state) => state.path === path);
}
