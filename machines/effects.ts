/** Everything a request may ask of the world. The machine only names them; the engine performs them. */
import * as z from "zod";

export const effectSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("openStream") }),
  z.object({ type: z.literal("awaitRetry"), until: z.number().int() }),
  z.object({ type: z.literal("recover"), responseId: z.string() }),
  z.object({ type: z.literal("cancelUpstream"), responseId: z.string() }),
  z.object({ type: z.literal("stopStream") }),
  z.object({ type: z.literal("keepResult") }),
  z.object({ type: z.literal("advanceSession"), responseId: z.string() }),
]);

export type Effect = z.infer<typeof effectSchema>;
export type EffectType = Effect["type"];

/**
 * How often the world may be asked.
 *
 * - `paid`: at most once, only by the claimer, only after the claim is on disk; never run again by anyone.
 * - `repeatable`: generates nothing and costs nothing; any process may do it, any number of times.
 * - `derived`: concerns this process only and is not stored.
 * - `committed`: is part of the same transaction as the state, so it cannot be lost or done twice.
 */
export const effectKinds = {
  openStream: "paid",
  awaitRetry: "derived",
  recover: "repeatable",
  cancelUpstream: "repeatable",
  stopStream: "derived",
  keepResult: "committed",
  advanceSession: "committed",
} as const satisfies Record<EffectType, "paid" | "repeatable" | "derived" | "committed">;
