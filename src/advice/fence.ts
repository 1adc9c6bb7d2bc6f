/**
 * Text of somebody else's as a block that it cannot end: its fence is longer than any run of the same sign inside
 * (CommonMark 0.31, §4.5).
 */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}text\n${text}\n${fence}`;
}
