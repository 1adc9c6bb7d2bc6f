import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import type { Rule } from "../../src/simulator/simulator.ts";
import { asking, expect, test } from "./support.ts";

const folder = env["CLAIMCHECK_RECORDINGS"];

/** What the API sends by now and did not at the time of a recording. */
const NEWER = new Set([
  ".response.completed_at",
  ".response.frequency_penalty",
  ".response.presence_penalty",
  ".response.usage.input_tokens_details.cache_write_tokens",
]);

/** A recording of the API, the scenario that plays the same piece, and whether it was in the background. */
const pieces: [string, Rule["scenario"], boolean][] = [
  ["pydantic-test_background_mode_streaming_starting_after_vcr.0.sse", "normal", true],
  ["vercel-openai-error.1.sse", "error_event_then_failed", false],
];

test.skipIf(!folder).for(pieces)(
  "%s has the same events and fields",
  async ([file, scenario, background], { simulator }) => {
    simulator.script({ scenario });
    const answer = await fetch(`${simulator.url}/responses`, {
      method: "POST",
      headers: { authorization: "Bearer sk-test" },
      body: JSON.stringify({ ...asking({ message: "Hi", background }), metadata: {} }),
    });

    const ours = shapesOf(await answer.text());
    const recorded = shapesOf(readFileSync(join(folder ?? "", file), "utf8"));

    expect([...ours.keys()]).toEqual([...recorded.keys()]);
    for (const [type, fields] of recorded) {
      const shown = ours.get(type) ?? [];
      expect([type, fields.filter((field) => !shown.includes(field))]).toEqual([type, []]);
      expect([type, shown.filter((field) => !fields.includes(field) && !NEWER.has(field))]).toEqual([
        type,
        [],
      ]);
    }
  },
);

test.runIf(!folder)("skipped: no recordings", () => {});

/** For each type of event, the paths of all its fields. */
function shapesOf(stream: string): Map<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const [, type = "", data = ""] of stream.matchAll(/^event: (.*)\ndata: (.*)$/gm)) {
    shapes.set(type, pathsOf(JSON.parse(data)).sort());
  }
  return shapes;
}

function pathsOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [prefix];
  return Object.entries(value).flatMap(([key, child]) => pathsOf(child, `${prefix}.${key}`));
}
