/**
 * Text measured without a browser: one fixed advance for a monospaced face gives the same boxes in Node, in
 * librsvg and in every browser. DejaVu Sans Mono, Menlo and Consolas are all within 0.55 to 0.602 em.
 */
const advanceEm = 0.602;

/** Font sizes, distances between lines and margins of a picture, px. */
export const sizes = { title: 13, text: 10.5, lead: 14, titleLead: 20, inset: 12, gap: 5 } as const;

/** Width of `text` in px at a font size of `size` px. */
export function widthOf(text: string, size: number): number {
  return Math.ceil([...text].length * size * advanceEm);
}

/** Breaks at spaces so that no line is longer than `columns`, single longer words excepted. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || `${last} ${word}`.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
