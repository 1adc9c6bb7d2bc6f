/**
 * Exactly `units` UTF-16 units of numbered lines, each with characters of one to four bytes: a page lost, repeated or
 * cut inside a character cannot go unnoticed.
 */
export function madeUpText(units: number): string {
  const lines: string[] = [];
  for (let length = 0, number = 1; length < units; number += 1) {
    const line = `${number}. Ein Schein für die Garderobe, naïve ‘café’, 票 🎟️.\n`;
    lines.push(line);
    length += line.length;
  }
  return withoutHalfCharacter(lines.join("").slice(0, units));
}

function withoutHalfCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? `${text.slice(0, -1)}.` : text;
}
