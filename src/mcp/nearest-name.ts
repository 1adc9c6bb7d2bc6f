/**
 * The known name a caller most likely meant, or undefined when none is close: a slip of a letter or two
 * (`modle`), another spelling (`sessionId`), or a short form (`max_tokens`).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = bare(name);
  if (wanted.length > longestGuess) return undefined;
  const slips = Math.max(2, Math.floor(wanted.length / 4));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, bare(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best !== undefined && best.distance <= slips && best.distance < wanted.length) return best.candidate;
  return wanted.length < 4 ? undefined : known.find((candidate) => isShortFor(wanted, bare(candidate)));
}

/** Longer ones are no slips of ours, and the table below grows with the square. */
const longestGuess = 64;

const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Whether the letters of `short` occur in `long` in that order. */
function isShortFor(short: string, long: string): boolean {
  let at = -1;
  return [...short].every((letter) => {
    at = long.indexOf(letter, at + 1);
    return at !== -1;
  });
}
