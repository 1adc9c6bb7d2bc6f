/** How the request machine is pictured: its glyphs, its legend, its words for those who cannot see it. */
import { requestMachine } from "../../machines/request.ts";
import { stateCards } from "../../machines/states.ts";
import { condense, type Drawing } from "./condense.ts";
import { describe } from "./describe.ts";
import type { Legend } from "./legend.ts";
import type { Caption } from "./svg.ts";

export const requestChart = describe(requestMachine);

const glyphs = new Map(Object.entries(stateCards).map(([state, { glyph }]) => [state, glyph]));

export const requestDrawing: Drawing = condense(requestChart, glyphs);

export const requestLegend: Legend = {
  title: `${requestChart.id}, version ${requestChart.version}`,
  entries: [
    { phase: "live", text: "live: somebody works on it" },
    { phase: "unresolved", text: "unresolved: an answer to find or a decision to make" },
    { phase: "final", text: "final: nothing moves it again" },
    { sign: "[guard]", text: "only when it holds; [else] when none did" },
    { sign: "↺", text: "may happen without leaving the state" },
  ],
};

export const requestCaption: Caption = {
  title: "The life of a request",
  description: requestChart.states
    .filter(({ parent }) => parent === null)
    .map(({ name, description }) => `${name}: ${description}`)
    .join(" "),
};
