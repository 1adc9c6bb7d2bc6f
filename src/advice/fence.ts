/**
 * Text of somebody else's as a block that it cannot end: its fence is longer than any run of the same sign inside
 * (CommonMark 0.31, §4.5).
 */
export function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
