import { expect, describe as group, test } from "vitest";
import { decide } from "../../machines/decide.ts";
import type { Echo } from "../../machines/evidence.ts";
import { outcome, sample, soon, start } from "./samples.ts";
import { tell } from "./story.ts";

const background: Echo = { store: true, background: true };
const foreground: Echo = { store: true, background: false };
const accepted = (echo: Echo) => sample("upstream.accepted", { echo });
const wish = sample("caller.cancelled");

group("a wish to cancel", () => {
  test("before upstream answered is remembered, and carried out as soon as there is something to name", () => {
    expect(tell([wish])).toMatchObject({
      state: "claimed.sending",
      effects: [],
      context: { cancel: { asking: "due" } },
    });
    expect(tell([wish, accepted(background)])).toMatchObject({
      state: "streaming",
      effects: [{ type: "cancelUpstream", responseId: "resp_1" }],
      context: { cancel: { asking: "asked" } },
    });
    expect(tell([wish, accepted(foreground)])).toMatchObject({
      state: "streaming",
      effects: [{ type: "stopStream" }],
    });
  });

  test("of a background response is asked of upstream, of a foreground stream it stops the stream", () => {
    expect(tell([accepted(background), wish]).effects).toEqual([
      { type: "cancelUpstream", responseId: "resp_1" },
    ]);
    expect(tell([accepted(foreground), wish]).effects).toEqual([{ type: "stopStream" }]);
    expect(tell([accepted(background), sample("upstream.lost"), wish]).effects).toEqual([
      { type: "cancelUpstream", responseId: "resp_1" },
    ]);
  });

  test("is asked once, however often it is wished", () => {
    expect(tell([accepted(background), wish, wish, wish]).asked).toEqual(["openStream", "cancelUpstream"]);
    expect(tell([wish, wish, accepted(background), wish]).asked).toEqual(["openStream", "cancelUpstream"]);
  });

  test("is as old as its first saying until it is asked, and then as old as the asking", () => {
    const [first, second] = [
      sample("caller.cancelled", { at: start }),
      sample("caller.cancelled", { at: soon }),
    ];
    expect(tell([first, second]).context.cancel).toEqual({ at: start, asking: "due" });
    const asked = sample("upstream.accepted", { echo: background, at: soon });
    expect(tell([first, asked]).context.cancel).toEqual({ at: soon, asking: "asked" });
  });

  test("that nobody had cannot have failed", () => {
    const { snapshot } = tell([accepted(background)]);
    expect(decide(snapshot, sample("cancel.faulted")).changed).toBe(false);
  });

  test("is asked again only after the asking failed", () => {
    const again = tell([accepted(background), wish, sample("cancel.faulted"), wish]);
    expect(again.asked).toEqual(["openStream", "cancelUpstream", "cancelUpstream"]);
  });

  test("keeps what had arrived and says why there is no more", () => {
    const cancelled = { outcome: outcome({ text: "Half an", reason: "cancelled" }) };
    for (const said of [sample("upstream.cancelled", cancelled), sample("stream.stopped", cancelled)]) {
      const { state, context, effects } = tell([accepted(foreground), wish, said]);
      expect({ state, reason: context.reason, effects }).toEqual({
        state: "incomplete",
        reason: "cancelled",
        effects: [{ type: "keepResult" }],
      });
    }
  });

  test("that comes too late does not take an answer away", () => {
    expect(tell([accepted(background), wish, sample("upstream.completed")]).state).toBe("completed");
    expect(tell([accepted(background), sample("upstream.completed"), wish])).toMatchObject({
      state: "completed",
      effects: [],
    });
  });

  test("survives the process that was to ask: whoever recovers the response asks", () => {
    const takenOver = tell([accepted(background), wish, sample("lease.expired")]);
    expect(takenOver.effects).toContainEqual({ type: "cancelUpstream", responseId: "resp_1" });
  });

  test("survives an unknown outcome: it is asked once the response is found", () => {
    const found = tell([wish, sample("upstream.lost"), sample("caller.attached")]);
    expect(found.effects).toContainEqual({ type: "cancelUpstream", responseId: "resp_found" });
  });

  test("that was asked is not asked again because the stream broke off", () => {
    const { asked } = tell([accepted(background), wish, sample("upstream.lost"), wish]);
    expect(asked.filter((type) => type === "cancelUpstream")).toHaveLength(1);
  });
});
