import { expect, test } from "vitest";
import { emptyDraft } from "../../src/providers/openai/draft.ts";
import { type Attempt, reportsOf } from "../../src/providers/openai/reports.ts";
import type { StreamReport } from "../../src/providers/provider.ts";

async function reportsWhereNothingLoads(purpose: Attempt["purpose"]): Promise<StreamReport[]> {
  const attempt: Attempt = {
    purpose,
    caller: new AbortController().signal,
    draft: emptyDraft(),
    ask: () => Promise.reject(new Error("never asked")),
    unopened: () => ({ type: "upstream.lost", cause: "reset", partial: null, carry: null }),
  };
  const open = () => Promise.reject(new Error("Cannot find package"));
  const reports: StreamReport[] = [];
  const retrieve = () => Promise.resolve({ type: "retrieval.missing" } as const);
  for await (const report of reportsOf(attempt, { open, retrieve, textBytes: 1_000 })) reports.push(report);
  return reports;
}

test("a paid call whose client cannot be loaded was provably not sent", async () => {
  expect(await reportsWhereNothingLoads("send")).toEqual([
    { type: "upstream.rejected", failure: { code: "not_sent", cause: "client_not_loaded" } },
  ]);
});

test("a response whose client cannot be loaded can still be asked for later", async () => {
  expect(await reportsWhereNothingLoads("resume")).toMatchObject([
    { type: "upstream.lost", cause: "stream_error" },
  ]);
});
