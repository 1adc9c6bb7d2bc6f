/** What is looked for, and where it was found. */

export const secretKinds = [
  "api_key",
  "token",
  "password",
  "bearer_header",
  "private_key",
  "ssh_key",
  "pem_block",
  "database_url",
  "git_credentials",
  "url_credentials",
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** A secret at `start` up to, not including, `end`; UTF-16 units. */
export interface Secret {
  start: number;
  end: number;
  kind: SecretKind;
}

/** Looks for secrets of a certain make, in time linear to the text. Findings may overlap those of others. */
export type Detector = (text: string) => Iterable<Secret>;

/** What stands in a secret's place. */
export const mask = "[REDACTED]";
