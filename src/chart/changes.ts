/** What changed between a machine as it was released and as it is now, and what each change asks for. */

export const severities = ["breaking", "migrate", "behaviour", "compatible"] as const;

/**
 * - `breaking`: a stored request may stand in a state that is gone or has become something else.
 * - `migrate`: what is stored lacks something, or says it in a way that is not understood any more.
 * - `behaviour`: what is stored is understood, and goes on another way than it would have.
 * - `compatible`: nothing stored can tell the difference.
 */
export type Severity = (typeof severities)[number];

export interface Change {
  severity: Severity;
  /** What changed: a state's path, `state event`, or the place within a snapshot. */
  where: string;
  sentence: string;
}

/** An older release must not read what a newer one writes, so after a release no change goes without a version. */
const asked: Readonly<Record<Severity, string>> = {
  breaking: "a new version, whose migration says where such a request stands now",
  migrate: "a new version, whose migration brings what is stored into the new form",
  behaviour: "a new version, whose migration has nothing to change",
  compatible: "a new version, whose migration has nothing to change",
};

/** The worst first. */
export function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

/** For people: one line a change, and once a severity what it asks for after a release. */
export function reportOf(changes: readonly Change[]): string {
  const lines = inOrder(changes).map(({ severity, sentence }) => `  ${severity.padEnd(10)}  ${sentence}`);
  const present = severities.filter((severity) => changes.some((change) => change.severity === severity));
  const ways = present.map((severity) => `  ${severity.padEnd(10)}  asks for ${asked[severity]}`);
  return [...lines, "After a release:", ...ways].join("\n");
}
