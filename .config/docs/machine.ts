/** What README.md and SPEC.md say of the request machine. */
import { effectKinds } from "../../machines/effects.ts";
import { eventAuthority } from "../../machines/events.ts";
import { requestStates, stateCards } from "../../machines/states.ts";
import { type ChartTransition, leaving } from "../../src/chart/describe.ts";
import { mermaid } from "../../src/chart/mermaid.ts";
import { requestChart, requestDrawing } from "../../src/chart/request-picture.ts";
import { code, fenced, table, unique } from "./markdown.ts";

export const diagram = () => fenced("mermaid", mermaid(requestDrawing).trimEnd());

export function states(): string {
  const rows = requestStates.map((state) => {
    const { glyph, phase, sentence } = stateCards[state];
    return [glyph, code(state), phase, sentence];
  });
  const inner = requestChart.states
    .filter(({ parent }) => parent !== null)
    .map(({ path, tags, description }) => ["", code(path), tags.join(" ") || "live", description ?? ""]);
  return table(["", "state", "phase", "what it means"], [...rows, ...inner]);
}

/** One line for each place an event can lead to, the guards beside the events. */
export function arrows(): string {
  const from = requestChart.states.filter(({ path }) => leaving(requestChart, path).length > 0);
  return from.map(({ path }) => [`**${path}**`, "", ...targetsOf(path)].join("\n")).join("\n\n");
}

function targetsOf(path: string): string[] {
  const all = leaving(requestChart, path);
  return unique(all.map(({ target }) => target)).map((target) => {
    const ways = unique(all.filter((one) => one.target === target).map(wayOf));
    return `- ${target === null ? "stays" : `→ ${target}`}: ${ways.map(code).join(", ")}`;
  });
}

function wayOf({ event, guard, index }: ChartTransition): string {
  if (guard !== null) return `${event} [${guard.type}]`;
  return index === 0 ? event : `${event} [else]`;
}

export function effects(): string {
  const entries = requestChart.states.flatMap(({ path, entry }) =>
    entry.map(({ type }) => ({ type, at: `entering ${path}` })),
  );
  const onTheWay = requestChart.transitions.flatMap(({ event, actions }) =>
    actions.map(({ type }) => ({ type, at: code(event) })),
  );
  const rows = Object.entries(effectKinds).map(([effect, kind]) => {
    const asked = [...entries, ...onTheWay].filter(({ type }) => type === effect).map(({ at }) => at);
    return [code(effect), kind, unique(asked).join(", ")];
  });
  return table(["effect", "kind", "asked for by"], rows);
}

export function events(): string {
  const rows = Object.entries(eventAuthority).map(([event, authority]) => {
    const heard = requestChart.transitions
      .filter((transition) => transition.event === event)
      .map(({ from }) => from);
    return [code(event), authority, unique(heard).join(", ")];
  });
  return table(["event", "on whose word", "means something in"], rows);
}
