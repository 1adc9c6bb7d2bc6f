/** What a call cost, as far as that can be told. What is not known is said to be unknown; it is never nothing. */
import { type Prices, priceOf, type Rates } from "./prices.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

export type Unknown = "no_usage" | "no_price" | "no_price_for_tier";

/** In millionths of a millionth of the currency, exactly; or why it cannot be told. */
export type Cost = { known: bigint } | { unknown: Unknown };

export interface Billed {
  /** As upstream named it, else as it was asked for. */
  model: string;
  serviceTier: string | null;
  usage: Readonly<Record<string, unknown>> | null;
}

/** What upstream calls the tier that the plain prices are for. */
const usualTiers = new Set(["default", "standard", "auto"]);

export function costOf({ model, serviceTier, usage }: Billed, prices: Prices): Cost {
  const tokens = tokensOf(usage);
  if (tokens === null) return { unknown: "no_usage" };
  const price = priceOf(prices, model);
  if (price === null) return { unknown: "no_price" };
  if (serviceTier === null || usualTiers.has(serviceTier)) return { known: amountOf(tokens, price) };
  const tier = price.tiers?.[serviceTier];
  return tier === undefined ? { unknown: "no_price_for_tier" } : { known: amountOf(tokens, tier) };
}

function amountOf(tokens: Tokens, rates: Rates): bigint {
  const plainInput = tokens.input - tokens.cachedInput - tokens.cacheWrite;
  const plainOutput = tokens.output - tokens.reasoning;
  return (
    BigInt(plainInput) * rates.input +
    BigInt(tokens.cachedInput) * (rates.cached_input ?? rates.input) +
    BigInt(tokens.cacheWrite) * (rates.cache_write ?? rates.input) +
    BigInt(plainOutput) * rates.output +
    BigInt(tokens.reasoning) * (rates.reasoning ?? rates.output)
  );
}

/** As a decimal number with six places, rounded half up: `0.004125`. */
export function decimal(amount: bigint): string {
  const micro = (amount + 500_000n) / 1_000_000n;
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`;
}
