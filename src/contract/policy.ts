/**
 * Every number a user may set: its environment variable, unit, default, range and what it is for. `config.ts`
 * parses the environment by this table; `.env.example` and SPEC.md are checked against it.
 */

interface Knob {
  env: string;
  unit: "ms" | "bytes" | "tokens" | "count" | "days" | "chars";
  fallback: number;
  min: number;
  max: number;
  purpose: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;
export const dayMs = 86_400_000;

export const policyKnobs = {
  timeoutMs: {
    env: "CLAIMCHECK_TIMEOUT_MS",
    unit: "ms",
    fallback: 120_000,
    min: 1_000,
    max: 600_000,
    purpose: "Default deadline of a request; the answer is still collected afterwards.",
  },
  maxTimeoutMs: {
    env: "CLAIMCHECK_MAX_TIMEOUT_MS",
    unit: "ms",
    fallback: 600_000,
    min: 1_000,
    max: 3_600_000,
    purpose: "Largest deadline a call may ask for.",
  },
  firstByteMs: {
    env: "CLAIMCHECK_FIRST_BYTE_MS",
    unit: "ms",
    fallback: 60_000,
    min: 100,
    max: 600_000,
    purpose: "How long upstream may take until its first byte.",
  },
  idleMs: {
    env: "CLAIMCHECK_IDLE_MS",
    unit: "ms",
    fallback: 60_000,
    min: 100,
    max: 600_000,
    purpose: "How long a stream may be silent before it counts as lost.",
  },
  outputTokens: {
    env: "CLAIMCHECK_OUTPUT_TOKENS",
    unit: "tokens",
    fallback: 8_192,
    min: 16,
    max: 1_000_000,
    purpose: "Output tokens of a call that does not say.",
  },
  maxOutputTokens: {
    env: "CLAIMCHECK_MAX_OUTPUT_TOKENS",
    unit: "tokens",
    fallback: 32_768,
    min: 16,
    max: 1_000_000,
    purpose: "Most output tokens a call may ask for.",
  },
  maxInputBytes: {
    env: "CLAIMCHECK_MAX_INPUT_BYTES",
    unit: "bytes",
    fallback: 256 * KiB,
    min: KiB,
    max: 64 * MiB,
    purpose: "Message and instructions together, as UTF-8.",
  },
  maxResultBytes: {
    env: "CLAIMCHECK_MAX_RESULT_BYTES",
    unit: "bytes",
    fallback: MiB,
    min: 64 * KiB,
    max: 64 * MiB,
    purpose: "Stored result of one request; its text or refusal at most half, an upstream event 8 times.",
  },
  maxLive: {
    env: "CLAIMCHECK_MAX_LIVE",
    unit: "count",
    fallback: 4,
    min: 1,
    max: 1_000,
    purpose: "Requests live at once in one database.",
  },
  maxSessions: {
    env: "CLAIMCHECK_MAX_SESSIONS",
    unit: "count",
    fallback: 1_000,
    min: 1,
    max: 1_000_000,
    purpose: "Sessions kept.",
  },
  maxRequests: {
    env: "CLAIMCHECK_MAX_REQUESTS",
    unit: "count",
    fallback: 10_000,
    min: 1,
    max: 10_000_000,
    purpose: "Requests kept, tombstones included.",
  },
  maxContentBytes: {
    env: "CLAIMCHECK_MAX_CONTENT_BYTES",
    unit: "bytes",
    fallback: 64 * MiB,
    min: MiB,
    max: 1_024 * 1_024 * MiB,
    purpose: "All results and session instructions together, room for answers under way included.",
  },
  maxInputChars: {
    env: "CLAIMCHECK_MAX_INPUT_CHARS",
    unit: "chars",
    fallback: 30_000,
    min: 1_000,
    max: 1_000_000,
    purpose: "What a second opinion is given in all; more is trimmed, the question never.",
  },
  maxFileChars: {
    env: "CLAIMCHECK_MAX_FILE_CHARS",
    unit: "chars",
    fallback: 12_000,
    min: 100,
    max: 1_000_000,
    purpose: "What is sent of one file.",
  },
  maxFiles: {
    env: "CLAIMCHECK_MAX_FILES",
    unit: "count",
    fallback: 5,
    min: 0,
    max: 100,
    purpose: "Files a second opinion may be given.",
  },
  maxLogChars: {
    env: "CLAIMCHECK_MAX_LOG_CHARS",
    unit: "chars",
    fallback: 10_000,
    min: 100,
    max: 1_000_000,
    purpose: "What is sent of logs; repeated lines go first.",
  },
  sessionIdleDays: {
    env: "CLAIMCHECK_SESSION_IDLE_DAYS",
    unit: "days",
    fallback: 30,
    min: 1,
    max: 3_650,
    purpose: "Idle days after which a session is deleted, unless something in it is unresolved.",
  },
  resultDays: {
    env: "CLAIMCHECK_RESULT_DAYS",
    unit: "days",
    fallback: 30,
    min: 1,
    max: 3_650,
    purpose: "Days after which a result is pruned to a tombstone.",
  },
  leaseMs: {
    env: "CLAIMCHECK_LEASE_MS",
    unit: "ms",
    fallback: 30_000,
    min: 300,
    max: 600_000,
    purpose: "How long a silent owner is waited for; renewed at a third of it.",
  },
  collectHours: {
    env: "CLAIMCHECK_COLLECT_HOURS",
    unit: "count",
    fallback: 24,
    min: 1,
    max: 720,
    purpose: "Hours for which a running process keeps collecting a late answer on its own.",
  },
  pageChars: {
    env: "CLAIMCHECK_PAGE_CHARS",
    unit: "chars",
    fallback: 24_000,
    min: 1_000,
    max: 500_000,
    purpose: "Most UTF-16 units of text in one result; the rest is paged.",
  },
} as const satisfies Record<string, Knob>;

export type PolicyName = keyof typeof policyKnobs;
export type Policy = Readonly<Record<PolicyName, number>>;

export function policyOf(overrides: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy, ...overrides };
}

const defaultPolicy = Object.fromEntries(
  Object.entries(policyKnobs).map(([name, knob]) => [name, knob.fallback]),
) as Policy;
