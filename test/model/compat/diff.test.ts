import { expect, describe as group, test } from "vitest";
import type { Chart } from "../../../src/chart/describe.ts";
import { diffCharts, diffLock } from "../../../src/chart/diff.ts";
import { lockOf } from "../../../src/chart/lock.ts";
import { requestLock, requestSnapshotSchema as snapshot } from "../../../src/chart/request-lock.ts";
import { requestChart as chart } from "../../../src/chart/request-picture.ts";
import {
  plus,
  plusEvent,
  rewired,
  type Told,
  told,
  withContext,
  without,
  withState,
  withTransition,
} from "./variants.ts";

group("what changed in the machine since its release, and how much it matters", () => {
  test("nothing did", () => {
    expect(diffLock(requestLock, { chart, snapshot })).toEqual([]);
    expect(diffCharts(chart, chart)).toEqual([]);
  });

  test.each<[string, Chart, Told[]]>([
    [
      "a state that is gone",
      without("abandoned"),
      [["breaking", "abandoned", "abandoned is gone, and a stored request may stand in it."]],
    ],
    [
      "a part of a state that is gone, with the ways to it led elsewhere",
      rewired(without("claimed.deferred"), "claimed.deferred", "failed"),
      [
        ["breaking", "claimed.deferred", "claimed.deferred is gone, and a stored request may stand in it."],
        [
          "behaviour",
          "claimed.sending upstream.unstarted",
          "upstream.unstarted leads to failed [mayRetry] / keepFailure, awaitRetry, else failed / keepFailure in claimed.sending; it led to claimed.deferred [mayRetry] / keepFailure, awaitRetry, else failed / keepFailure.",
        ],
      ],
    ],
    [
      "an end that is none any more",
      withState("failed", { type: "atomic" }),
      [
        [
          "breaking",
          "failed",
          "failed is atomic and was final: a stored request that stands in it stands nowhere.",
        ],
      ],
    ],
    [
      "a state without its parts",
      withState("claimed", { type: "atomic", initial: null }),
      [
        [
          "breaking",
          "claimed",
          "claimed is atomic and was compound: a stored request that stands in it stands nowhere.",
        ],
      ],
    ],
    [
      "another machine",
      { ...chart, id: "order" },
      [
        [
          "breaking",
          "order",
          "The machine is order and was request: what is stored belongs to another machine.",
        ],
      ],
    ],
    [
      "a state that was split",
      plus(withState("streaming", { type: "compound", initial: "streaming.live" }), "streaming.live"),
      [
        [
          "migrate",
          "streaming",
          "streaming was split, and a stored request that stands in it does not say in which part.",
        ],
        ["compatible", "streaming.live", "streaming.live is new; nothing stored stands in it."],
      ],
    ],
    [
      "an arrow that leads elsewhere",
      withTransition("unknown_outcome caller.abandoned 0", { target: "failed" }),
      [
        [
          "behaviour",
          "unknown_outcome caller.abandoned",
          "caller.abandoned leads to failed in unknown_outcome; it led to abandoned.",
        ],
      ],
    ],
    [
      "a guard that is gone",
      withTransition("recovery_required retrieval.pending 0", { guard: null }),
      [
        [
          "behaviour",
          "recovery_required retrieval.pending",
          "retrieval.pending leads to itself / forgetMiss in recovery_required; it led to itself [wasMissing] / forgetMiss.",
        ],
      ],
    ],
    [
      "an action with another parameter",
      withTransition("claimed.sending lease.expired 0", {
        actions: [{ type: "rememberLoss", params: { cause: "mislaid" } }],
      }),
      [
        [
          "behaviour",
          "claimed.sending lease.expired",
          'lease.expired leads to unknown_outcome / rememberLoss{"cause":"mislaid"} in claimed.sending; it led to unknown_outcome / rememberLoss{"cause":"owner_lost"}.',
        ],
      ],
    ],
    [
      "an event that means nothing any more",
      { ...chart, transitions: chart.transitions.filter(({ event }) => event !== "caller.attached") },
      [
        [
          "behaviour",
          "unknown_outcome caller.attached",
          expect.stringMatching(/^caller\.attached means nothing in unknown_outcome; it led to /),
        ],
      ],
    ],
    [
      "a known event that means something where it meant nothing",
      plusEvent("abandoned", "upstream.completed", "completed"),
      [
        [
          "behaviour",
          "abandoned upstream.completed",
          "upstream.completed leads to completed in abandoned; it meant nothing.",
        ],
      ],
    ],
    [
      "another beginning",
      withState("claimed", { initial: "claimed.deferred" }),
      [["behaviour", "claimed", "claimed begins with claimed.deferred; before it was claimed.sending."]],
    ],
    [
      "another beginning of the whole",
      { ...chart, initial: "streaming" },
      [["behaviour", "request", "A life begins in streaming, and began in claimed."]],
    ],
    [
      "another thing done on entering",
      withState("recovery_required", { entry: [] }),
      [["behaviour", "recovery_required", "Entering recovery_required does nothing; before it was recover."]],
    ],
    [
      "another phase and another answer to a lost owner",
      withState("streaming", { tags: ["unresolved"], meta: { onOwnerLost: null } }),
      [
        ["behaviour", "streaming", "streaming counts as unresolved; before it was live."],
        [
          "behaviour",
          "streaming",
          'streaming declares {"onOwnerLost":null}; before it was {"onOwnerLost":"lease.expired"}.',
        ],
      ],
    ],
    [
      "a new state",
      plus(chart, "paused"),
      [["compatible", "paused", "paused is new; nothing stored stands in it."]],
    ],
    [
      "a new event",
      plusEvent("streaming", "caller.paused", null),
      [["compatible", "streaming caller.paused", "caller.paused is new; in streaming it leads to itself."]],
    ],
    [
      "better wording",
      withState("completed", { description: "Here it is." }),
      [["compatible", "completed", "completed is described in other words."]],
    ],
  ])("%s", (_, now, expected) => {
    expect(diffCharts(chart, now).map(told)).toEqual(expected);
  });

  test("wording is not in a lock, so nothing is said of it there", () => {
    const reworded = withState("completed", { description: "Here it is." });
    expect(diffLock(requestLock, { chart: reworded, snapshot })).toEqual([]);
  });

  test("the order in which the machine is written matters to nobody, but is said", () => {
    const turned = { ...chart, states: [...chart.states].reverse() };
    expect(lockOf(turned, snapshot).hash).not.toBe(requestLock.hash);
    expect(diffLock(requestLock, { chart: turned, snapshot }).map(told)).toEqual([
      ["compatible", "request", "Nothing changed but its version, or the order in which it is written."],
    ]);
  });

  test("the order of two guards does matter", () => {
    const swap = (index: number) => (index === 0 ? 1 : 0);
    const turned = chart.transitions.map((transition) =>
      transition.from === "recovery_required" && transition.event === "retrieval.missing"
        ? { ...transition, index: swap(transition.index) }
        : transition,
    );
    const sorted = [...turned].sort((one, other) => one.index - other.index);
    expect(diffCharts(chart, { ...chart, transitions: sorted }).map(told)).toEqual([
      [
        "behaviour",
        "recovery_required retrieval.missing",
        expect.stringContaining("leads to itself [firstMiss]"),
      ],
    ]);
  });

  test("the worst comes first, the snapshot's changes among the chart's", () => {
    const now = {
      chart: plusEvent("streaming", "caller.paused", "abandoned"),
      snapshot: withContext({ hue: {} }),
    };
    expect(diffLock(requestLock, now).map(({ severity }) => severity)).toEqual(["migrate", "compatible"]);
  });
});
