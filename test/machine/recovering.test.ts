import { expect, describe as group, test } from "vitest";
import { readLagMs } from "../../machines/request.ts";
import { outcome, predecessor, sample, start } from "./samples.ts";
import { tell } from "./story.ts";

const accepted = sample("upstream.accepted");
const lost = sample("upstream.lost");
const missing = (at: number) => sample("retrieval.missing", { at });

group("a stream that was lost", () => {
  test.each([
    ["is stored", { store: true, background: false }, true, "recovery_required"],
    [
      "is stored for the ten minutes of a background response",
      { store: false, background: true },
      true,
      "recovery_required",
    ],
    ["is not stored", { store: false, background: false }, true, "unknown_outcome"],
    ["says nothing of storing", {}, true, "unknown_outcome"],
    [
      "comes from a provider that cannot be asked",
      { store: true, background: true },
      false,
      "unknown_outcome",
    ],
  ])("can be asked for when its response %s, or else nobody knows", (_, echo, retrievable, state) => {
    for (const contactLost of [lost, sample("deadline.passed"), sample("lease.expired")]) {
      expect(tell([sample("upstream.accepted", { echo }), contactLost], { retrievable }).state).toBe(state);
    }
  });

  test("is recovered by the id upstream gave", () => {
    expect(tell([accepted, lost]).effects).toEqual([{ type: "recover", responseId: "resp_1" }]);
  });

  test("is remembered with its id, its model and where it was when it was accepted", () => {
    const { context } = tell([sample("upstream.accepted", { sequence: 7 }), lost]);
    expect(context.upstream).toMatchObject({ responseId: "resp_1", model: "a-model", sequence: 7 });
  });

  test("goes on streaming once somebody re-attached, and can be lost again", () => {
    expect(tell([accepted, lost, sample("stream.reattached")]).state).toBe("streaming");
    expect(tell([accepted, lost, sample("stream.reattached"), lost]).state).toBe("recovery_required");
  });

  test("may always be asked for again: a passing fault or a pending answer moves nothing", () => {
    const { state, asked } = tell([
      accepted,
      lost,
      sample("retrieval.faulted"),
      sample("retrieval.pending"),
      sample("retrieval.faulted"),
    ]);
    expect({ state, asked }).toEqual({ state: "recovery_required", asked: ["openStream", "recover"] });
  });
});

group("a response that is not found", () => {
  test("is given the read lag before it is believed to be gone", () => {
    expect(tell([accepted, lost, missing(start)]).state).toBe("recovery_required");
    expect(tell([accepted, lost, missing(start), missing(start + readLagMs - 1)]).state).toBe(
      "recovery_required",
    );
    const gone = tell([accepted, lost, missing(start), missing(start + readLagMs)]);
    expect(gone).toMatchObject({
      state: "failed",
      context: { failure: { code: "response_missing", status: 404 } },
    });
  });

  test.each([
    ["seen again", sample("retrieval.pending")],
    ["streaming again", sample("stream.reattached")],
  ])("and then %s is missing anew", (_, seen) => {
    const back = seen.type === "stream.reattached" ? [seen, lost] : [seen];
    expect(tell([accepted, lost, missing(start), ...back, missing(start + readLagMs)]).state).toBe(
      "recovery_required",
    );
  });
});

group("an unknown outcome", () => {
  test("becomes recoverable with a response id, from the late worker or from the caller", () => {
    expect(tell([lost, accepted])).toMatchObject({
      state: "recovery_required",
      effects: [{ type: "recover", responseId: "resp_1" }],
    });
    expect(tell([lost, sample("caller.attached")])).toMatchObject({
      state: "recovery_required",
      effects: [{ type: "recover", responseId: "resp_found" }],
    });
  });

  test("takes the answer of a worker that lost its lease", () => {
    const { state, asked } = tell([sample("lease.expired"), sample("upstream.completed")]);
    expect(state).toBe("completed");
    expect(asked).toEqual(["openStream", "keepResult", "advanceSession"]);
  });

  test("fails when it turns out that nothing was ever made", () => {
    expect(tell([lost, sample("upstream.rejected")]).state).toBe("failed");
    expect(tell([lost, sample("upstream.unstarted")])).toMatchObject({
      state: "failed",
      asked: ["openStream"],
    });
  });

  test("stays unknown with a response id that cannot be asked for: only its own worker can still deliver", () => {
    const late = sample("upstream.accepted", { echo: { store: false } });
    const gone = [missing(start), missing(start + readLagMs)];
    expect(tell([sample("lease.expired"), late]).effects).toEqual([]);
    expect(tell([sample("lease.expired"), late, ...gone, sample("upstream.completed")]).state).toBe(
      "completed",
    );
  });
});

group("an answer that ignored what came before", () => {
  const turn = { predecessor };

  test.each([
    ["names another predecessor", { store: true, previousResponseId: "resp_other" }],
    ["names none", { store: true, previousResponseId: null }],
    ["says nothing of it", { store: true }],
  ])("is delivered and flagged, but does not move the session on: upstream %s", (_, echo) => {
    for (const way of [
      [sample("upstream.accepted", { echo }), sample("upstream.completed", { outcome: outcome({ echo }) })],
      [sample("upstream.completed", { outcome: outcome({ echo }) })],
    ]) {
      const { state, context, asked } = tell(way, turn);
      expect(state).toBe("completed");
      expect(context.upstream?.contextIgnored).toBe(true);
      expect(asked).toEqual(["openStream", "keepResult"]);
    }
  });

  test("is no such thing on a first turn", () => {
    const { context, asked } = tell([sample("upstream.completed", { outcome: outcome({ echo: {} }) })]);
    expect(context.upstream?.contextIgnored).toBe(false);
    expect(asked).toContain("advanceSession");
  });
});
