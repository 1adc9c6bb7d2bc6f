/** The product as a user of it would have it: the real engine, SQLite and OpenAI provider, at an upstream's address. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { policyOf } from "../../../src/contract/policy.ts";
import type { Settings } from "../../../src/contract/settings.ts";
import type { RequestView } from "../../../src/contract/views.ts";
import { type Clock, systemClock } from "../../../src/engine/clock.ts";
import { createEngine } from "../../../src/engine/create.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { createOpenAIProvider } from "../../../src/providers/openai/openai.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open.ts";
import { temporaryDirectory } from "../../support/world.ts";

export interface Claimcheck {
  engine: Engine;
  ask(message: string, options?: AskOptions): Promise<RequestView>;
}

export interface AskOptions {
  /** The default is a new one. */
  requestId?: string;
  sessionId?: string;
  instructions?: string;
  settings?: Settings;
  /** How long the call waits; the default is longer than any of these upstreams needs. */
  waitMs?: number;
}

export interface ClaimcheckOptions {
  clock?: Clock;
  idleMs?: number;
  firstByteMs?: number;
}

const waitMs = 10_000;

/** @param baseUrl what a user would set OPENAI_BASE_URL to */
export async function claimcheckAt(baseUrl: string, options: ClaimcheckOptions = {}): Promise<Claimcheck> {
  const { clock = systemClock, idleMs = 5_000, firstByteMs = 5_000 } = options;
  const { maxResultBytes } = policyOf();
  const provider = createOpenAIProvider({
    apiKey: "test-key-not-real",
    baseUrl,
    firstByteMs,
    idleMs,
    limits: { textBytes: maxResultBytes / 2, eventBytes: maxResultBytes * 8 },
  });
  const store = await openSqliteStore({ file: join(temporaryDirectory(), "claimcheck.db") });
  const engine = createEngine({
    store,
    clock,
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "gpt-somebody-elses" },
  });
  onTestFinished(async () => {
    await engine.close(0);
    await store.close();
  });
  return {
    engine,
    ask: (message, { waitMs: budgetMs = waitMs, requestId = randomUUID(), settings = {}, ...asked } = {}) =>
      engine.ask(
        {
          tool: "chat",
          callerArguments: { message, ...asked, ...settings },
          requestId,
          message,
          settings,
          ...asked,
        },
        { budgetMs },
      ),
  };
}
