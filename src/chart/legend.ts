/** What the colours and signs of a picture mean, put where the picture is empty. */
import { type Box, overlaps } from "./geometry.ts";
import { sizes, widthOf } from "./text-box.ts";

export interface Legend {
  title: string;
  /** One line each; `phase` names the colour of its swatch, `sign` stands in its place. */
  entries: { phase?: string; sign?: string; text: string }[];
}

export interface PlacedLegend extends Box, Legend {}

/** Columns of px for a swatch or a sign. */
export const swatchWidth = 50;

/**
 * Puts the legend into the first corner where it covers nothing, clockwise from the top right.
 *
 * @param within the picture; it is returned taller where no corner was free
 */
export function placeLegend(
  legend: Legend,
  within: { width: number; height: number },
  taken: readonly Box[],
): { legend: PlacedLegend; height: number } {
  const size = sizeOf(legend);
  const right = within.width - size.width - sizes.lead;
  const bottom = within.height - size.height - sizes.lead;
  const corners = [
    { x: right, y: sizes.lead },
    { x: right, y: bottom },
    { x: sizes.lead, y: bottom },
    { x: sizes.lead, y: sizes.lead },
  ].map((corner) => ({ ...corner, ...size }));
  const free = corners.find((corner) => !taken.some((box) => overlaps(corner, box)));
  if (free !== undefined) return { legend: { ...legend, ...free }, height: within.height };
  const below = { x: sizes.lead, y: within.height, ...size };
  return { legend: { ...legend, ...below }, height: within.height + size.height + sizes.lead };
}

function sizeOf({ title, entries }: Legend): { width: number; height: number } {
  const longest = Math.max(...entries.map(({ text }) => widthOf(text, sizes.text)));
  const width = Math.max(widthOf(title, sizes.title), longest + swatchWidth) + 2 * sizes.inset;
  return { width, height: sizes.titleLead + sizes.inset + entries.length * (sizes.lead + 4) };
}
