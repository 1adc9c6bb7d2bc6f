/** Log lines that say the same again and again. */

/** The first, the second and the last line of a kind stay: how it began, that it went on, how it ended. */
const kept = 2;

export interface Folded {
  text: string;
  /** Lines that went. */
  folded: number;
}

/** Leaves out lines that are alike but for numbers, such as times and counters, and says in their place how many. */
export function foldRepeats(text: string): Folded {
  const lines = text.split("\n");
  const shapes = lines.map(shapeOf);
  const last = new Map(shapes.map((shape, index) => [shape, index]));
  const seen = new Map<string, number>();
  const told: string[] = [];
  let folded = 0;
  let run = 0;
  const tell = () => {
    if (run > 0) told.push(`[… ${run} similar ${run === 1 ? "line" : "lines"} left out …]`);
    run = 0;
  };
  for (const [index, line] of lines.entries()) {
    const shape = shapes[index] ?? "";
    const times = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, times);
    if (times > kept && last.get(shape) !== index) {
      run += 1;
      folded += 1;
    } else {
      tell();
      told.push(line);
    }
  }
  tell();
  const shorter = told.join("\n");
  return shorter.length < text.length ? { text: shorter, folded } : { text, folded: 0 };
}

/** A line without its numbers: hexadecimal ones too where they are long, as ids are. */
function shapeOf(line: string): string {
  return line
    .replace(/[0-9a-f]{8,}/gi, "#")
    .replace(/\d+/g, "#")
    .trim();
}
