/** Medians of interleaved rounds: machines drift, so only figures of one run are compared. */

export interface Subject {
  name: string;
  /** One measured operation; resolves with its own duration where it knows better than a stopwatch around it. */
  once(): Promise<number | undefined> | number | undefined;
}

/** Milliseconds, in the order of the subjects. */
export async function medians(
  subjects: readonly Subject[],
  rounds: number,
  perRound: number,
): Promise<number[]> {
  const samples = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      for (let i = 0; i < perRound; i += 1) samples[index]?.push(await timed(subject));
    }
  }
  return samples.map(median);
}

async function timed(subject: Subject): Promise<number> {
  const started = performance.now();
  const own = await subject.once();
  return own ?? performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
