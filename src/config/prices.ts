/** The price file: read once, at the start, and refused as a whole where anything in it is wrong. */
import { readFileSync } from "node:fs";
import { type Prices, pricesSchema } from "../ledger/prices.ts";
import { absolutePath } from "./parsers.ts";
import type { Reader } from "./reader.ts";

const variable = "CLAIMCHECK_PRICES";

/** A list of prices is short; what is longer is something else. Bytes. */
const largest = 1_024 * 1_024;

export function readPrices(reader: Reader): Prices | null {
  const file = reader.read(variable, absolutePath);
  if (file === null) return null;
  const read = contentOf(file);
  if ("wrong" in read) return complain(reader, file, read.wrong);
  const prices = pricesSchema.safeParse(read.content);
  if (prices.success) return prices.data;
  const [issue] = prices.error.issues;
  return complain(reader, file, `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "is wrong"}`);
}

function complain(reader: Reader, file: string, what: string): null {
  reader.complain(variable, `${variable} names ${file}, which cannot be used (${what}).`);
  return null;
}

function contentOf(file: string): { content: unknown } | { wrong: string } {
  try {
    const text = readFileSync(file, "utf8");
    if (text.length > largest) return { wrong: "it is too large" };
    return { content: JSON.parse(text) };
  } catch (error) {
    return { wrong: error instanceof SyntaxError ? "it is no JSON" : "it cannot be read" };
  }
}
