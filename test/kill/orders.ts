/** What the callers and the worker processes say to each other. */
import * as z from "zod";

const request = { n: z.number(), requestId: z.string() };
const waiting = { ...request, budgetMs: z.number() };

export const orderSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ask"),
    ...waiting,
    message: z.string(),
    sessionId: z.string().optional(),
    /** The caller goes away after so long, without its answer. */
    leaveAfterMs: z.number().optional(),
  }),
  z.object({ kind: z.literal("wait"), ...waiting }),
  z.object({ kind: z.literal("cancel"), ...waiting }),
  z.object({ kind: z.literal("abandon"), ...request }),
  z.object({ kind: z.literal("attach"), ...waiting, responseId: z.string() }),
]);

export type Order = z.infer<typeof orderSchema>;
type Unnumbered<O> = O extends Order ? Omit<O, "n"> : never;
/** An order before its worker numbered it. */
export type Wish = Unnumbered<Order>;

/** What a caller was told: a view's status, or the code of an error. */
export const toldSchema = z.object({
  status: z.string(),
  error: z.boolean(),
  sessionId: z.string().optional(),
  responseId: z.string().optional(),
  text: z.string().optional(),
});
export type Told = z.infer<typeof toldSchema>;

export const replySchema = z.object({ n: z.number(), told: toldSchema });

export const duties = z.object({
  file: z.string(),
  upstream: z.string(),
  leaseMs: z.number(),
  /** Sees at once that an owner is dead; without, every lease is waited out. */
  seesDeaths: z.boolean(),
  fenced: z.boolean(),
});
export type Duties = z.infer<typeof duties>;
