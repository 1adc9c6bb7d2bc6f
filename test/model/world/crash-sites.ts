/** Where lives are struck: steps of paths, each once, and how to find every moment in one. */
import type { Crash, Struck } from "./crash.ts";
import { type PlayedStep, playablePaths } from "./paths.ts";
import type { Story } from "./stories.ts";

export type Site = Pick<Crash, "story" | "before" | "step">;

/** The claim, then one site for each thing that `keyOf` tells apart, on the shortest way there. */
export function sitesOf(
  story: Story,
  keyOf: (before: readonly PlayedStep[], step: PlayedStep) => string,
): Site[] {
  const sites = new Map<string, Site>([["claim", { story, before: [], step: null }]]);
  for (const path of [...playablePaths(story.input)].sort((one, other) => one.length - other.length)) {
    for (const [index, step] of path.entries()) {
      const before = path.slice(0, index);
      const key = keyOf(before, step);
      if ((sites.get(key)?.before.length ?? Number.POSITIVE_INFINITY) > index)
        sites.set(key, { story, before, step });
    }
  }
  return [...sites.values()];
}

/** More than any step writes; a step that never runs out of moments is a fault of the tests. */
const mostMoments = 60;

/** Strikes at the first moment, the second, and so on until there is none left. */
export async function everyMoment(strike: (nth: number) => Promise<Struck>): Promise<void> {
  for (let nth = 1; ; nth += 1) {
    if (nth > mostMoments) throw new Error(`There were still moments after ${mostMoments}.`);
    const { point } = await strike(nth);
    if (point === null) return;
  }
}
