import { expect, describe as group, test } from "vitest";
import { begin, decide } from "../../machines/decide.ts";
import { machineVersion, persist, rehydrate, UnreadableSnapshot } from "../../machines/snapshots.ts";
import { firstTurn, sample } from "./samples.ts";

const good = JSON.parse(
  JSON.stringify(persist(decide(begin(firstTurn).next, sample("upstream.accepted")).next)),
);

group("a stored snapshot", () => {
  test("is plain data: what it says, it says in JSON", () => {
    expect(rehydrate(machineVersion, good)).toMatchObject({ value: "streaming", status: "active" });
  });

  test("of a newer version is refused and left alone, naming both versions and the way out", () => {
    const refusal = refused(machineVersion + 1, good);
    expect(refusal.code).toBe("snapshot_newer");
    expect(refusal.message).toMatch(
      new RegExp(`version ${machineVersion + 1}.*up to ${machineVersion}.*Upgrade`),
    );
  });

  test.each([0, -1, 0.5])("of a version that never was (%s) is refused", (version) => {
    expect(refused(version, good).code).toBe("snapshot_unreadable");
  });

  test.each<[string, unknown]>([
    ["nothing", null],
    ["text", "streaming"],
    ["an empty object", {}],
    ["a state that does not exist", { ...good, value: "gone" }],
    ["a parent state without its child", { ...good, value: "claimed" }],
    ["a substate that does not exist", { ...good, value: { claimed: "gone" } }],
    ["a status XState has and this machine has not", { ...good, status: "error" }],
    ["a context without what the guards ask", { ...good, context: { ...good.context, attempts: undefined } }],
    ["a wish that is none", { ...good, context: { ...good.context, cancel: { at: 1, asking: "perhaps" } } }],
    ["a failure nobody knows", { ...good, context: { ...good.context, failure: { code: "odd" } } }],
  ])("that is broken is refused, never guessed at: %s", (_, broken) => {
    const refusal = refused(machineVersion, broken);
    expect(refusal.code).toBe("snapshot_unreadable");
    expect(refusal.message).toMatch(/left untouched/);
  });

  test("keeps no effects: coming back asks for nothing again", () => {
    const { next, effects, changed } = decide(rehydrate(machineVersion, good), sample("retry.due"));
    expect({ effects, changed, value: next.value }).toEqual({
      effects: [],
      changed: false,
      value: "streaming",
    });
  });
});

function refused(version: number, stored: unknown): UnreadableSnapshot {
  try {
    rehydrate(version, stored);
  } catch (cause) {
    if (cause instanceof UnreadableSnapshot) return cause;
    throw cause;
  }
  throw new Error("It was read.");
}
