/** Two hundred calls, eight at a time: no error, no call paid for twice, and how long they took. */
import { expect, test } from "vitest";
import { z } from "zod";
import { openIn } from "../support/eras.ts";
import { said } from "../support/said.ts";
import { world } from "../support/world.ts";
import { inspect, inspectorEras } from "./support.ts";

const calls = 200;
const atATime = 8;

const summary = z.object({
  requests: z.number(),
  ok: z.number(),
  toolErrors: z.number(),
  errors: z.number(),
  errorMessages: z.array(z.unknown()),
  latencyMs: z.object({ p50: z.number(), p90: z.number(), p99: z.number() }),
});

/** The inspector's load mode makes the same call over and over. */
const same = [
  ["answers", { action: "inbox" }],
  ["chat", { message: "The same again." }],
] as const;

for (const era of inspectorEras) {
  test.each(same)(`in the ${era} era the inspector loads %s without an error`, async (tool, args) => {
    const here = await world();
    const { code, result, stderr } = await inspect(here, era, "tools/call", [
      ...["--tool-name", tool, "--tool-args-json", JSON.stringify(args)],
      ...["--load", "--load-requests", String(calls), "--load-concurrency", String(atATime)],
    ]);

    const { latencyMs, errorMessages, ...counts } = summary.parse(result["result"]);
    expect({ code, counts }, JSON.stringify({ stderr, errorMessages })).toEqual({
      code: 0,
      counts: { requests: calls, ok: calls, toolErrors: 0, errors: 0 },
    });
    // Equal calls without an id join while one of them is under way; none is sent twice.
    expect(here.sim.ledger.posts).toBeLessThanOrEqual(tool === "chat" ? calls : 0);
    expect(here.sim.ledger.attempts).toBe(here.sim.ledger.posts);
    const { p50, p90, p99 } = latencyMs;
    tell(`${tool}, the same call, ${era}`, { p50, p90, p99 });
  });
}

test("two hundred different questions are each answered with their own answer, at four live ones", async () => {
  const here = await world();
  const { call } = await openIn("2026-07-28", here);
  const questions = Array.from({ length: calls }, (_, index) => `Question ${index}?`);
  const took: number[] = [];

  await eachOf(questions, async (message) => {
    const since = performance.now();
    const result = await call("chat", { message });
    took.push(performance.now() - since);
    expect(said(result)).toMatchObject({ status: "completed", text: `You said: ${message}` });
  });

  expect(here.sim.ledger).toMatchObject({ posts: calls, attempts: calls });
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(share * (calls - 1))] ?? Number.NaN;
  tell("chat, different questions", { p50: at(0.5), p95: at(0.95), p99: at(0.99) });
});

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

function tell(what: string, ms: Record<string, number>): void {
  const figures = Object.entries(ms).map(([name, value]) => `${name} ${Math.round(value)} ms`);
  process.stdout.write(`${calls} calls, ${atATime} at a time (${what}): ${figures.join(" · ")}\n`);
}
