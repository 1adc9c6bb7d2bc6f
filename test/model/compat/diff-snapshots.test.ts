import { expect, describe as group, test } from "vitest";
import { diffSnapshots } from "../../../src/chart/diff-snapshots.ts";
import type { JsonSchema } from "../../../src/chart/lock.ts";
import { requestSnapshotSchema as snapshot } from "../../../src/chart/request-lock.ts";
import { withContext as contextOf, contextWithout, propertiesOf, type Told, told } from "./variants.ts";

group("what changed in what is stored", () => {
  const number = { type: "number" };

  test.each<[string, JsonSchema, Told[]]>([
    [
      "a new field",
      contextOf({ hue: number }),
      [["migrate", "context.hue", "context.hue is new and has to be there, and no stored snapshot has it."]],
    ],
    [
      "a new field that may be absent",
      contextOf({ hue: number }, ["hue"]),
      [["compatible", "context.hue", "context.hue is new and may be absent."]],
    ],
    [
      "a field that is gone",
      contextWithout("lostTo"),
      [["migrate", "context.lostTo", "context.lostTo is gone, and stored snapshots have it."]],
    ],
    [
      "another type",
      contextOf({ attempts: { type: "string" } }),
      [
        [
          "migrate",
          "context.attempts",
          "context.attempts may not be integer any more, and stored snapshots may have it so.",
        ],
        ["compatible", "context.attempts", "context.attempts may be string now."],
      ],
    ],
    [
      "a field that may not be null any more",
      contextOf({ reason: { type: "string" } }),
      [
        [
          "migrate",
          "context.reason",
          "context.reason may not be null any more, and stored snapshots may have it so.",
        ],
      ],
    ],
    [
      "a tighter bound, told as it is",
      contextOf({ reason: { anyOf: [{ type: "string", maxLength: 8 }, { type: "null" }] } }),
      [
        [
          "migrate",
          "context.reason",
          "context.reason may not be string any more, and stored snapshots may have it so.",
        ],
      ],
    ],
    [
      "what nobody foresaw",
      contextOf({ attempts: { ...number, title: "attempts" } }),
      [
        ["migrate", "context.attempts", expect.stringContaining("may not be integer")],
        ["compatible", "context.attempts", "context.attempts may be number now."],
      ],
    ],
    [
      "wider: a number for an integer, no lower bound, null allowed",
      contextOf({ attempts: { anyOf: [number, { type: "null" }] } }),
      [
        ["compatible", "context.attempts", "context.attempts may be number now."],
        ["compatible", "context.attempts", "context.attempts may be null now."],
      ],
    ],
    [
      "a state that can be stored no more, and a new one",
      {
        ...snapshot,
        properties: { ...propertiesOf(snapshot), status: { type: "string", enum: ["active", "gone"] } },
      },
      [
        ["breaking", "status", 'status may not be "done" any more, and stored snapshots may have it so.'],
        ["compatible", "status", 'status may be "gone" now.'],
      ],
    ],
    [
      "a whole that is said in other words",
      { ...snapshot, title: "Snapshot" },
      [["migrate", "", expect.stringMatching(/^The snapshot is described differently/)]],
    ],
  ])("%s", (_, now, expected) => {
    const changes = diffSnapshots(snapshot, now).map(told);
    expect(changes).toHaveLength(expected.length);
    expect(changes).toEqual(expect.arrayContaining(expected));
  });

  test("nothing did", () => {
    expect(diffSnapshots(snapshot, JSON.parse(JSON.stringify(snapshot)))).toEqual([]);
  });

  test("nothing did where the same is only spelled in another way", () => {
    const nullable = { anyOf: [{ type: "null" }, { type: "string" }] };
    expect(diffSnapshots(snapshot, contextOf({ reason: nullable, lostTo: nullable }))).toEqual([]);
  });

  test("a part that may be null is looked into, also for what nobody foresaw", () => {
    const part = (beside: JsonSchema) => ({
      anyOf: [{ type: "object", properties: {}, ...beside }, { type: "null" }],
    });
    expect(diffSnapshots(part({}), part({ additionalProperties: number })).map(told)).toEqual([
      ["migrate", "", expect.stringMatching(/for a person to say/)],
    ]);
  });

  test("a field of such a part that becomes required asks for a migration", () => {
    const handle = (required: string[], store: JsonSchema) => ({
      anyOf: [{ type: "object", properties: { store }, required }, { type: "null" }],
    });
    expect(diffSnapshots(handle([], number), handle(["store"], number)).map(told)).toEqual([
      ["migrate", "store", "store has to be there now, and was not always stored."],
    ]);
    expect(diffSnapshots(handle(["store"], number), handle([], number)).map(told)).toEqual([
      ["compatible", "store", "store may be absent now."],
    ]);
  });
});
