/** Every wrong claimcheck that the tests must tell from the right one, and the controls of that very claim. */
import { controls } from "./controls.ts";
import { engineMutants } from "./in-engine.ts";
import { machineMutants } from "./in-machine.ts";
import { storeMutants } from "./in-store.ts";
import type { Patch } from "./patch.ts";

/** So that its line fits into 80 columns. */
export const longestName = 24;

export interface Mutant {
  /** At most `longestName` characters. */
  readonly name: string;
  /** What is wrong with it, in one sentence. */
  readonly says: string;
  /** More than one where two defences would have to fall together. */
  readonly patches: readonly Patch[];
}

export const mutants: readonly Mutant[] = [...controls, ...machineMutants, ...engineMutants, ...storeMutants];

/** @throws {Error} when there is none of this name */
export function mutantNamed(name: string): Mutant {
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no mutant ${name}`);
  return mutant;
}
