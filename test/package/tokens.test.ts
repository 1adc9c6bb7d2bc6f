import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { budgets, tokenCounts } from "../../.config/docs/tokens.ts";
import { clientKinds, connect } from "../mcp/support/connect.ts";
import { read } from "./tarball.ts";

const counts = tokenCounts();

test("the list of tools stays within what it may cost a model", () => {
  expect(counts.core).toBeLessThanOrEqual(budgets.core);
  expect(counts.all).toBeLessThanOrEqual(budgets.all);
});

describe.each(clientKinds)("for a %s client", (kind) => {
  test("the list that goes over the wire costs what README.md says", async () => {
    const { client, sent } = await connect({ kind });
    await client.listTools();
    const cost = sent.flatMap(toolsIn).map((tools) => countTokens(JSON.stringify({ tools })));
    expect(cost).toEqual([counts.all]);
    expect(read("README.md")).toContain(`The whole list takes ${counts.all.toLocaleString("en-US")} tokens`);
  });
});

const listSchema = z.object({ result: z.object({ tools: z.array(z.unknown()) }) });

function toolsIn(message: unknown): unknown[][] {
  const { data } = listSchema.safeParse(message);
  return data === undefined ? [] : [data.result.tools];
}
