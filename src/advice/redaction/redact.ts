/**
 * Secrets taken out of a text. Pure and deterministic: no clock, no chance, no state; what is around a secret stays,
 * so that the text still says what it is about. It finds what has the shape of a secret or stands where secrets
 * stand. A password that is a plain word in a sentence it cannot know.
 */
import { findAssigned } from "./assignments.ts";
import { findAuthorization } from "./authorization.ts";
import { findBlocks } from "./blocks.ts";
import { findKnownTokens } from "./known-tokens.ts";
import { findLinted } from "./linted.ts";
import { type Detector, mask, type Secret, type SecretKind } from "./secret.ts";
import { findInUrls } from "./urls.ts";

export interface Redacted {
  text: string;
  /** Secrets taken out, by kind; kinds that were not found are left out. */
  counts: Readonly<Partial<Record<SecretKind, number>>>;
}

/** In order of how well each knows what it found: where two overlap, the earlier one names it. */
const detectors: readonly Detector[] = [
  findBlocks,
  findInUrls,
  findKnownTokens,
  findLinted,
  findAuthorization,
  findAssigned,
];

/** Once is enough but where a secret stood inside another; each pass takes out at least one. */
const mostPasses = 16;

export function redact(text: string): Redacted {
  const counts: Partial<Record<SecretKind, number>> = {};
  let clean = text;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const secrets = merged(detectors.flatMap((detector) => [...detector(clean)])).filter(isMore(clean));
    if (secrets.length === 0) break;
    clean = masked(clean, secrets, counts);
  }
  return { text: clean, counts };
}

/** What a mask is all of is no secret. */
const isMore = (text: string) => (secret: Secret) =>
  text.slice(secret.start, secret.end).replaceAll(mask, "").trim() !== "";

function masked(
  text: string,
  secrets: readonly Secret[],
  counts: Partial<Record<SecretKind, number>>,
): string {
  let clean = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    clean += text.slice(from, start) + mask;
    from = end;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return clean + text.slice(from);
}

/** Overlapping findings are one secret. */
function merged(found: readonly Secret[]): Secret[] {
  const whole: Secret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start)) {
    const before = whole.at(-1);
    if (before === undefined || secret.start >= before.end) whole.push({ ...secret });
    else before.end = Math.max(before.end, secret.end);
  }
  return whole;
}
