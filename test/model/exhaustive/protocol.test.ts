import { afterAll, expect, describe as group, test } from "vitest";
import { requestStates } from "../../../machines/states.ts";
import { firstTurn } from "../../machine/samples.ts";
import { happenings } from "./decisions.ts";
import { mutants, protocol } from "./rules.ts";
import { type Found, search } from "./search.ts";

const oneAttempt = { ...firstTurn, maxAttempts: 1 };
const inputs = {
  "asked in the background, two attempts": firstTurn,
  "a provider that keeps nothing": { ...firstTurn, background: false, retrievable: false },
};
const table: string[] = [];
const timeout = 120_000;

afterAll(() => console.info(["", `${"protocol".padEnd(40)}worlds    steps      s`, ...table].join("\n")));

group("two workers, however often they die, sleep, come late or are wished at", () => {
  const found = new Map<string, Found>();

  test.each(Object.entries(inputs))("break no law: %s", { timeout }, (name, input) => {
    const started = performance.now();
    const all = search(protocol, input);
    found.set(name, all);
    note(name, all, started);
    expect(all.broken).toBeNull();
  });

  test("can always come to an end", () => {
    expect([...found.values()].flatMap(({ stuck }) => stuck)).toEqual([]);
    expect(found.size).toBe(Object.keys(inputs).length);
  });

  test("come to every state, and everything that can happen is written somewhere", () => {
    const all = [...found.values()];
    expect(new Set(all.flatMap(({ states }) => [...states]))).toEqual(new Set(requestStates));
    expect(Object.keys(happenings).filter((one) => !all.some(({ written }) => written.has(one)))).toEqual([]);
  });
});

group("with a rule of the protocol left out", () => {
  test.each(mutants.filter(({ breaks }) => breaks !== null))(
    "$name -- a law is broken, and how is shown",
    (mutant) => {
      const started = performance.now();
      const { broken, ...all } = search(mutant.rules, oneAttempt);
      note(mutant.name, { broken, ...all }, started);
      for (const [step, says] of (broken?.trace ?? []).entries()) table.push(`  ${step + 1}. ${says}`);
      expect(broken?.law).toBe(mutant.breaks);
    },
  );

  test.each(mutants.filter(({ breaks }) => breaks === null))(
    "$name -- other rules cover for it",
    { timeout },
    (mutant) => {
      const started = performance.now();
      const all = search(mutant.rules, oneAttempt);
      note(`${mutant.name} (survives)`, all, started);
      expect(all.broken).toBeNull();
    },
  );
});

function note(name: string, { worlds, steps, broken }: Found, started: number) {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const counts = `${String(worlds).padStart(6)} ${String(steps).padStart(8)} ${seconds.padStart(6)}`;
  table.push(`${name.slice(0, 38).padEnd(40)}${counts}${broken ? `\n  found:  ${broken.law}` : ""}`);
}
