import * as z from "zod";
import { cutSchema, wireSchema } from "./delivery.ts";
import { laterCallsSchema } from "./later-calls.ts";
import { endingSchema, noiseSchema, outputSchema } from "./output.ts";
import { replySchema } from "./reply.ts";

/**
 * A place where generation waits for `release()`:
 * - `"body_read"`: the POST is read and counted, nothing answered;
 * - `"created"`, `"queued"`: after that event; `{delta: n}`: after the nth delta; `"before_terminal"`: all said;
 * - `"cut"`: at the scenario's cut, between the last bytes and the break.
 */
const holdPoint = z.union([
  z.enum(["body_read", "created", "queued", "before_terminal", "cut"]),
  z.strictObject({ delta: z.int().min(1) }),
]);

/** How slow it is, in milliseconds. */
const pace = z.strictObject({
  /** From the body read to the headers. */
  headersMs: z.int().min(0).optional(),
  /** From there to the first event. */
  firstEventMs: z.int().min(0).optional(),
  /** Before every delta, and every event of `noise`; `chunkMs` of the simulator by default. */
  deltaMs: z.int().min(0).optional(),
  /** A background response stays queued until it was polled so often. */
  queuedForPolls: z.int().min(0).optional(),
});

/** The answer is not found at first, as on servers that write behind. */
const readLag = z.strictObject({
  /** 404 for the first n GETs. */
  gets: z.int().min(0).optional(),
  /** 404 until so long after it was created. */
  ms: z.int().min(0).optional(),
  /** `previous_response_not_found` for the first n turns that continue it. */
  turns: z.int().min(0).optional(),
});

/** The request is served, and echoed, as if it had said this: what a server does that ignores a parameter. */
const treatAs = z.strictObject({
  background: z.boolean().optional(),
  model: z.string().optional(),
  previous_response_id: z.string().nullable().optional(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).optional(),
  store: z.boolean().optional(),
});

/**
 * Everything that happens to one POST and to the response it makes: plain JSON, every part optional, all parts
 * combinable. `{}` is the API on a good day. The parts, in the order in which they take effect:
 *
 * | part | says |
 * |---|---|
 * | `reply` | what the POST gets in place of its answer |
 * | `treatAs` | parameters the server ignores |
 * | `hold`, `pace` | when things happen |
 * | `output`, `noise`, `ending` | what is generated |
 * | `wire`, `cut` | how the stream reaches its reader, and how far |
 * | `readLag`, `retrieve`, `resume`, `cancel`, `ignoresCancel` | what later calls about the response get |
 */
export const scenarioSchema = z.strictObject({
  /**
   * In place of the answer; two are possible here only:
   * - `"reset_unread"`: the connection is reset before the body is read, so its rule cannot `match`;
   * - `"json"`: the right answer, as one JSON document, though a stream was asked for.
   *
   * Unless it is a rejection (see `counted`) a generation is under way behind it, as the caller has to assume.
   */
  reply: z.union([replySchema, z.enum(["reset_unread", "json"])]).optional(),
  /** Whether `reply` comes from a generation that was started; by default no for 4xx except 408 and 409, else yes. */
  counted: z.boolean().optional(),
  treatAs: treatAs.optional(),
  hold: z.array(holdPoint).optional(),
  pace: pace.optional(),
  output: outputSchema.optional(),
  noise: noiseSchema.optional(),
  ending: endingSchema.optional(),
  wire: wireSchema.optional(),
  cut: cutSchema.optional(),
  /** A background stream left before its second event stays queued for ever (community.openai.com 1382584). */
  strandsEarlyLeavers: z.literal(true).optional(),
  readLag: readLag.optional(),
  ...laterCallsSchema.shape,
  /** A cancelled response is shown as cancelled, goes on, and is completed in the end. */
  ignoresCancel: z.literal(true).optional(),
});

export type Scenario = z.input<typeof scenarioSchema>;
export type HoldPoint = z.input<typeof holdPoint>;
