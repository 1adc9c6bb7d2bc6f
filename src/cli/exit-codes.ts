/** What the process says when it ends; `--help` prints this list. */
export const exitCodes = {
  /** It worked. */
  ok: 0,
  /** It did not work; stderr says why and what to do. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** There is no such request. */
  notFound: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
