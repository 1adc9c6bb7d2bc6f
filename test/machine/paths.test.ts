import { expect, describe as group, test } from "vitest";
import { isFinal, type RequestSnapshot, stateOf } from "../../machines/snapshots.ts";
import { keyOf } from "../../src/chart/condense.ts";
import { requestChart } from "../../src/chart/request-picture.ts";
import { profiles } from "./samples.ts";
import { shortestPaths } from "./walk.ts";

const arrows = requestChart.transitions.map(keyOf);
/** Written down so that the table is whole; graph tools leave out what neither moves nor acts. */
const inert = requestChart.transitions
  .filter(({ target, actions }) => target === null && actions.length === 0)
  .map(keyOf);

const paths = Object.values(profiles).flatMap(shortestPaths);

group("on every path a request can take", () => {
  test("each transition is taken", () => {
    const taken = new Set(paths.flat().flatMap(({ took }) => (took === null ? [] : [took])));
    const missed = arrows.filter((arrow) => !taken.has(arrow) && !inert.includes(arrow));
    console.info(
      `${taken.size} of ${arrows.length} transitions taken on ${paths.length} paths, ${inert.length} inert`,
    );
    expect(missed).toEqual([]);
    expect(inert).toEqual(["recovery_required retrieval.faulted 0"]);
  });

  test("a request is settled exactly when it stands in a final state", () => {
    for (const { after } of paths.flat()) expect(after.status === "done").toBe(isFinal(stateOf(after)));
  });

  test("the paid call goes out only on entering claimed.sending, once each time", () => {
    for (const { before, after, effects } of paths.flat()) {
      const sent = effects.filter(({ type }) => type === "openStream").length;
      expect(sent).toBe(isSending(after) && !isSending(before) ? 1 : 0);
    }
  });

  test("the paid call never goes out again once a response id is known, or may be", () => {
    for (const path of paths) {
      const known = path.findIndex(
        ({ after }) => after.context.upstream !== null || stateOf(after) !== "claimed",
      );
      if (known < 0) continue;
      expect(path.slice(known).flatMap(({ effects }) => effects)).not.toContainEqual({ type: "openStream" });
    }
  });

  test("no more attempts are made than were allowed", () => {
    for (const { after } of paths.flat())
      expect(after.context.attempts).toBeLessThanOrEqual(after.context.maxAttempts);
  });

  test("the session moves on only with an answer or a refusal, and only where upstream kept the context", () => {
    for (const { after, effects } of paths.flat()) {
      if (!effects.some(({ type }) => type === "advanceSession")) continue;
      expect(["completed", "refused"]).toContain(stateOf(after));
      expect(after.context.upstream).toMatchObject({ contextIgnored: false });
    }
  });

  test("an answer is kept in the same step that says it is there", () => {
    for (const { after, event, effects } of paths.flat()) {
      const kept = effects.some(({ type }) => type === "keepResult");
      expect(kept).toBe(after.status === "done" && "outcome" in event);
    }
  });

  test("recovery is only for responses that have a name", () => {
    for (const { after, effects } of paths.flat()) {
      if (stateOf(after) === "recovery_required")
        expect(after.context.upstream?.responseId).toMatch(/^resp_/);
      for (const effect of effects) if ("responseId" in effect) expect(effect.responseId).toMatch(/^resp_/);
    }
  });

  test("upstream is asked to cancel at most once for each time that asking failed or its asker was lost", () => {
    for (const path of paths) {
      let owed = 1;
      for (const { before, event, after, effects } of path) {
        if (event.type === "lease.expired") owed += 1;
        if (effects.some(({ type }) => type === "cancelUpstream")) owed -= 1;
        if (before.context.cancel?.asking === "asked" && after.context.cancel?.asking === "due") owed += 1;
        expect(owed).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

function isSending({ value }: RequestSnapshot): boolean {
  return typeof value === "object" && value.claimed === "sending";
}
