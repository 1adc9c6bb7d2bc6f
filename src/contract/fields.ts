/** Fields that several tools share. Plain types only: hosts reject unions, formats and patterns in schemas. */
import * as z from "zod";
import { policyKnobs } from "./policy.ts";
import { reasoningEfforts, verbosities } from "./settings.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string) => uuid.test(value);

export const sessionNamePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

export const requestId = z
  .string()
  .refine(isUuid, "must be a UUID such as 123e4567-e89b-42d3-a456-426614174000")
  .toLowerCase();

export const sessionRef = z
  .string()
  .min(1)
  .max(64)
  .refine((value) => isUuid(value) || sessionNamePattern.test(value), "must be a session's UUID or its name")
  .transform((value) => (isUuid(value) ? value.toLowerCase() : value));

export const sessionName = z
  .string()
  .max(64)
  .refine((value) => sessionNamePattern.test(value) && !isUuid(value), {
    message: "must be 1 to 64 letters, digits, spaces, dots, dashes or underscores, and not a UUID",
  });

export const waitMs = z.number().int().min(0).max(3_600_000);

export const settingFields = {
  model: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      "Model name, sent as given. Default: the session's, else the server's; with neither, an error.",
    ),
  reasoning_effort: z
    .enum(reasoningEfforts)
    .optional()
    .describe("How long the model thinks. Default: the session's, else not sent."),
  verbosity: z.enum(verbosities).optional().describe("Answer length. Default: the session's, else not sent."),
  max_output_tokens: z
    .number()
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe(
      `Most output tokens, reasoning included: 16 to ${policyKnobs.maxOutputTokens.fallback} unless the server allows more. Default ${policyKnobs.outputTokens.fallback}.`,
    ),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(3_600_000)
    .optional()
    .describe(
      `Deadline of the request in ms: 1000 to ${policyKnobs.maxTimeoutMs.fallback} unless the server allows more. Default ${policyKnobs.timeoutMs.fallback}. A late answer is still collected.`,
    ),
  background: z
    .boolean()
    .optional()
    .describe(
      "true lets the answer survive a lost connection; false streams in the foreground. Default true.",
    ),
};

export const waitField = waitMs
  .optional()
  .describe(
    "How long this call waits in ms, 0 to 3600000; then a receipt comes and the work goes on. Default: by host, 25000 to 600000.",
  );

export const offsetField = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe("For read: first UTF-16 unit to return, from 0. Default 0; go on with next_offset.");
