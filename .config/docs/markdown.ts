/** Markdown, and how numbers read in it. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Folded away until somebody opens it. */
export function details(summary: string, parts: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...parts, "</details>"].join("\n\n");
}

export const code = (name: string) => `\`${name}\``;

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
