/** Breadth first over all worlds, so that the first trace to a broken law is a shortest one. */
import type { RequestInput } from "../../../machines/request.ts";
import { decided, placeAt } from "./decisions.ts";
import { brokenBy, brokenIn, type Law } from "./laws.ts";
import type { Rules } from "./rules.ts";
import { stepsFrom } from "./steps.ts";
import { firstWorld, keyOf, type World } from "./world.ts";

export interface Found {
  worlds: number;
  steps: number;
  /** What the row was, and what was written to it, anywhere. */
  states: ReadonlySet<string>;
  written: ReadonlySet<string>;
  /** Null where every law held in all of them. */
  broken: { law: Law; trace: string[] } | null;
  /** Traces to worlds from which it can never be ended; only looked for where no law was broken. */
  stuck: string[][];
}

interface Node {
  world: World;
  /** How it was first reached. */
  from: number;
  says: string;
  /** Whence else, for the way back. */
  parents: number[];
}

/** More than the bounds allow: a search that does not end is a fault of the model. */
const mostWorlds = 3_000_000;

export function search(rules: Rules, input: RequestInput): Found {
  const nodes: Node[] = [{ world: firstWorld(), from: -1, says: "", parents: [] }];
  const numbers = new Map([[keyOf(firstWorld()), 0]]);
  const seen = { states: new Set<string>(), written: new Set<string>() };
  let steps = 0;

  for (let at = 0; at < nodes.length; at += 1) {
    if (at > mostWorlds) throw new Error(`There were more than ${mostWorlds} worlds.`);
    for (const step of stepsFrom(worldOf(nodes, at), rules, input)) {
      steps += 1;
      if (step.wrote !== null) {
        seen.states.add(placeAt(step.wrote.after.snapshot).state);
        if (step.wrote.happening !== "claim") seen.written.add(step.wrote.happening);
      }
      const law = brokenBy(step) ?? brokenIn(step.to);
      if (law !== null) {
        const trace = [...traceTo(nodes, at), step.says];
        return { worlds: nodes.length, steps, ...seen, broken: { law, trace }, stuck: [] };
      }
      note(step.to, step.says, at);
    }
  }
  return { worlds: nodes.length, steps, ...seen, broken: null, stuck: stuckOf(nodes) };

  function note(world: World, says: string, from: number) {
    const key = keyOf(world);
    const known = numbers.get(key);
    if (known !== undefined) nodes[known]?.parents.push(from);
    else {
      numbers.set(key, nodes.length);
      nodes.push({ world, from, says, parents: [from] });
    }
  }
}

/** Backwards from where it can be ended: whatever is not met on the way goes on for ever. */
function stuckOf(nodes: readonly Node[]): string[][] {
  const reached = new Set<number>();
  const queue = nodes.flatMap(({ world }, number) => (canBeEnded(world) ? [number] : []));
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    if (reached.has(number)) continue;
    reached.add(number);
    queue.push(...(nodes[number]?.parents ?? []));
  }
  return nodes.flatMap((_, number) => (reached.has(number) ? [] : [traceTo(nodes, number)]));
}

/** It is settled, or a caller can settle it by giving it up. */
function canBeEnded({ row }: World): boolean {
  return row !== null && (placeAt(row.snapshot).final || decided(row.snapshot, "abandon")?.to.final === true);
}

function traceTo(nodes: readonly Node[], number: number): string[] {
  const trace: string[] = [];
  for (let at = number; at > 0; at = nodes[at]?.from ?? -1) trace.unshift(nodes[at]?.says ?? "");
  return trace;
}

function worldOf(nodes: readonly Node[], number: number): World {
  const node = nodes[number];
  if (!node) throw new Error("There is no such world.");
  return node.world;
}
