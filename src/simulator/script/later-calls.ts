import * as z from "zod";
import { cutSchema } from "./delivery.ts";
import { replySchema } from "./reply.ts";

const common = z.union([replySchema, z.enum(["not_found", "normal"])]);

/** `"queued"` and `"in_progress"` show the response in that state, whatever it is really in. */
const retrieveStep = z.union([common, z.enum(["queued", "in_progress"])]);

/** `"expired"` is the refusal of a stream that is more than five minutes old; a cut breaks the resumed stream. */
const resumeStep = z.union([common, z.literal("expired"), z.strictObject({ cut: cutSchema })]);

/** What the next calls about a response get, one step for each call; after the last step all is normal again. */
export const laterCallsSchema = z.strictObject({
  retrieve: z.array(retrieveStep).optional(),
  /** `GET …?stream=true`; these calls take no step of `retrieve`. */
  resume: z.array(resumeStep).optional(),
  cancel: z.array(common).optional(),
});

/** Steps for calls about one response, or, without an id, about any. */
const laterRuleSchema = laterCallsSchema.extend({ responseId: z.string().optional() });

export type LaterCalls = z.input<typeof laterCallsSchema>;
export type LaterRule = z.input<typeof laterRuleSchema>;
type RetrieveStep = z.input<typeof retrieveStep>;
type ResumeStep = z.input<typeof resumeStep>;
type CancelStep = z.input<typeof common>;

/** The steps not taken yet. */
export interface Steps {
  readonly retrieve: RetrieveStep[];
  readonly resume: ResumeStep[];
  readonly cancel: CancelStep[];
}

export function stepsOf(calls: LaterCalls): Steps {
  return {
    retrieve: [...(calls.retrieve ?? [])],
    resume: [...(calls.resume ?? [])],
    cancel: [...(calls.cancel ?? [])],
  };
}

/** The steps scripted for responses that exist already; the latest rule that still has a step wins. */
export class LaterRules {
  #rules: { responseId: string | undefined; steps: Steps }[] = [];

  /** @throws ZodError where the rule is not one */
  add(rule: unknown): void {
    const { responseId, ...calls } = laterRuleSchema.parse(rule);
    this.#rules.unshift({ responseId, steps: stepsOf(calls) });
  }

  for(id: string): Steps[] {
    return this.#rules
      .filter((rule) => rule.responseId === undefined || rule.responseId === id)
      .map((rule) => rule.steps);
  }

  clear(): void {
    this.#rules = [];
  }
}
