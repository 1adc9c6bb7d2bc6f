/** How a model is asked: what a session remembers and a call may override. */
import * as z from "zod";

export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const verbosities = ["low", "medium", "high"] as const;

/** Non-secret settings; absent means "not sent upstream". Instructions are content and stand apart. */
export const settingsSchema = z.object({
  model: z.string().min(1).max(256).optional(),
  reasoning_effort: z.enum(reasoningEfforts).optional(),
  verbosity: z.enum(verbosities).optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  timeout_ms: z.number().int().min(1_000).optional(),
  background: z.boolean().optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Settings after session defaults and policy were applied: what was really asked for. */
export const effectiveSettingsSchema = settingsSchema.extend({
  model: z.string().min(1).max(256),
  max_output_tokens: z.number().int(),
  timeout_ms: z.number().int(),
  background: z.boolean(),
  /** Only from the server's environment, and sent only when set there. */
  temperature: z.number().min(0).max(2).optional(),
});
export type EffectiveSettings = z.infer<typeof effectiveSettingsSchema>;
