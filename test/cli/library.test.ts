import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { temporaryDirectory, until } from "../support/world.ts";

/** The built library, as a program that depends on the package gets it. */
async function library(): Promise<typeof import("../../src/index.ts")> {
  return import(new URL("../../dist/index.js", import.meta.url).href);
}

test("the library is enough to ask, to lose the process and to collect", async () => {
  const { createEngine, createOpenAIProvider, openSqliteStore, policyOf } = await library();
  const simulator = await startSimulator();
  const store = await openSqliteStore({ file: join(temporaryDirectory(), "claimcheck.db") });
  const { firstByteMs, idleMs } = policyOf();
  const provider = createOpenAIProvider({
    apiKey: "test-key-not-real",
    baseUrl: simulator.url,
    firstByteMs,
    idleMs,
    limits: { textBytes: 100_000, eventBytes: 1_000_000 },
  });
  const parts = {
    store,
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "gpt-test" },
  };
  onTestFinished(async () => {
    await store.close();
    await simulator.close();
  });
  simulator.script({ scenario: "hold_mid_text" });

  const first = createEngine(parts);
  const question = { tool: "chat", callerArguments: {}, message: "hello", settings: {} };
  const receipt = await first.ask(question, { budgetMs: 0 });
  const id = receipt.request_id;
  await until("the answer is arriving", async () => (await first.inspect(id)).status === "streaming");
  await first.close();
  simulator.release();
  const second = createEngine(parts);
  const answer = await second.wait(id, { budgetMs: 10_000 });
  await second.close();

  expect(answer).toMatchObject({ status: "completed", text: "You said: hello" });
  expect(simulator.ledger.posts).toBe(1);
});

test("its errors are its own class, with a code", async () => {
  const { ClaimcheckError, createOpenAIProvider } = await library();
  const limits = { textBytes: 1_000, eventBytes: 1_000 };
  const make = () =>
    createOpenAIProvider({ apiKey: "", baseUrl: "https://x.example", firstByteMs: 1, idleMs: 1, limits });
  expect(make).toThrow(ClaimcheckError);
  expect(make).toThrow(expect.objectContaining({ name: "ClaimcheckError", code: "key_missing" }));
});
