/** The price file that a user gives: what a million tokens of each kind cost, by model. No price is known otherwise. */
import * as z from "zod";

/** Exact, in millionths of the currency: a price like 0.125 has no exact binary fraction. */
const rate = z
  .union([z.number().nonnegative(), z.string()])
  .transform(String)
  .refine(
    (text) => /^\d{1,9}(\.\d{1,6})?$/.test(text),
    "must be an amount such as 1.25, with at most six decimals",
  )
  .transform(millionths);

function millionths(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

const rates = {
  input: rate,
  /** Of input that came from a cache, and that went into one; as other input where not given. */
  cached_input: rate.optional(),
  cache_write: rate.optional(),
  output: rate,
  /** As other output where not given. */
  reasoning: rate.optional(),
};

const ratesSchema = z.strictObject(rates);

const modelSchema = ratesSchema.extend({
  /** Of other service tiers, by upstream's name for them. */
  tiers: z.record(z.string().min(1), ratesSchema).optional(),
});

export const pricesSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "must be three capital letters, such as EUR"),
  /** By model name; one that ends in * is for all models that begin so. */
  models: z.record(z.string().min(1).max(256), modelSchema),
});

export type Prices = z.output<typeof pricesSchema>;
export type Rates = z.output<typeof ratesSchema>;

/** The prices of a model: under its own name, else under the longest beginning of it. */
export function priceOf({ models }: Prices, model: string): Prices["models"][string] | null {
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  if (own !== undefined) return own;
  const beginnings = Object.keys(models)
    .filter((name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length);
  return models[beginnings[0] ?? ""] ?? null;
}
