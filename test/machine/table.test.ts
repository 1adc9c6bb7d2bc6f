import { expect, describe as group, test } from "vitest";
import { begin } from "../../machines/decide.ts";
import { effectKinds } from "../../machines/effects.ts";
import { type ChartTransition, leaving } from "../../src/chart/describe.ts";
import { requestChart } from "../../src/chart/request-picture.ts";
import { firstTurn } from "./samples.ts";
import { entries, type Row, rows } from "./table.ts";

const inTheMachine = requestChart.transitions.map(spelled);
const inTheTable = rows.flatMap(arrowsOf);

group("the table of a request's life", () => {
  test.each(rows)("is kept by the machine: $from, $happened", (row) => {
    for (const arrow of arrowsOf(row)) expect(inTheMachine).toContain(arrow);
  });

  test("has a row for everything the machine does", () => {
    expect(inTheMachine.filter((arrow) => !inTheTable.includes(arrow))).toEqual([]);
  });

  test("says nothing twice", () => {
    expect(inTheTable.length).toBe(new Set(inTheTable).size);
  });

  test("begins with the claim: the call goes out at once, and is the only thing asked for", () => {
    const { next, effects } = begin(firstTurn);
    expect(next.value).toEqual({ claimed: "sending" });
    expect(effects).toEqual([{ type: "openStream" }]);
  });

  test("names the effects of entering a state", () => {
    const asked = requestChart.states.map(({ path, entry }) => [path, effectsAmong(entry)] as const);
    expect(Object.fromEntries(asked.filter(([, effects]) => effects.length > 0))).toEqual(entries);
  });

  test("ends: nothing leaves a final state", () => {
    const finals = requestChart.states.filter(({ type }) => type === "final");
    expect(finals.map(({ name }) => name)).toEqual([
      "completed",
      "refused",
      "incomplete",
      "failed",
      "abandoned",
    ]);
    expect(finals.flatMap(({ path }) => leaving(requestChart, path))).toEqual([]);
  });
});

function arrowsOf({ from, by, to, asks = [] }: Row): string[] {
  return from.flatMap((state) => by.map((event) => arrow(state, event, to, asks)));
}

function spelled(transition: ChartTransition): string {
  const { from, event, target, actions } = transition;
  return arrow(from, event + conditionOf(transition), target, effectsAmong(actions));
}

function conditionOf({ guard, index }: ChartTransition): string {
  if (guard !== null) return ` [${guard.type}]`;
  return index === 0 ? "" : " [else]";
}

function arrow(from: string, event: string, to: string | null, asks: readonly string[]): string {
  return `${from} + ${event} -> ${to ?? "stays"} (${asks.join(", ")})`;
}

function effectsAmong(actions: readonly { type: string }[]): string[] {
  return actions.map(({ type }) => type).filter((type) => type in effectKinds);
}
