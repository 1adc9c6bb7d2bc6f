/** The real engine in a process of its own; does what it is told over IPC until it is killed. */

import { processIdentity } from "../../src/engine/identity.ts";
import type { Engine, RequestView, Waiter } from "../../src/index.ts";
import { createEngine, createOpenAIProvider, openSqliteStore } from "../../src/index.ts";
import { testKey } from "../support/stdio.ts";
import { type Duties, duties, type Order, orderSchema, type Told } from "./orders.ts";
import { unfenced } from "./unfenced.ts";

const engine = await startEngine(duties.parse(JSON.parse(process.argv[2] ?? "{}")));
process.on("message", (message) => void answer(orderSchema.parse(message)));
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });

async function startEngine({ file, upstream, leaseMs, seesDeaths, fenced }: Duties): Promise<Engine> {
  const store = await openSqliteStore({ file });
  const identity = processIdentity();
  const provider = createOpenAIProvider({
    apiKey: testKey,
    baseUrl: upstream,
    firstByteMs: 20_000,
    idleMs: 20_000,
    limits: { textBytes: 65_536, eventBytes: 1_048_576 },
  });
  const started = createEngine({
    store: fenced ? store : unfenced(store),
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "gpt-test" },
    policy: { leaseMs, maxLive: 500, maxContentBytes: 2 ** 40 },
    identity: seesDeaths ? identity : { ...identity, isGone: () => false },
  });
  started.start();
  return started;
}

async function answer(order: Order): Promise<void> {
  process.send?.({ n: order.n, told: await obey(order).then(toldBy, toldOf) });
}

function obey(order: Order): Promise<RequestView> {
  switch (order.kind) {
    case "ask":
      return ask(order);
    case "wait":
      return engine.wait(order.requestId, { budgetMs: order.budgetMs });
    case "cancel":
      return engine.cancel(order.requestId, { budgetMs: order.budgetMs });
    case "abandon":
      return engine.abandon(order.requestId);
    case "attach":
      return engine.attach(order.requestId, order.responseId, { budgetMs: order.budgetMs });
  }
}

function ask(order: Extract<Order, { kind: "ask" }>): Promise<RequestView> {
  const { requestId, sessionId, message, budgetMs, leaveAfterMs } = order;
  const waiter: Waiter = {
    budgetMs,
    ...(leaveAfterMs !== undefined && { signal: AbortSignal.timeout(leaveAfterMs) }),
  };
  const callerArguments = { message, ...(sessionId !== undefined && { session_id: sessionId }) };
  return engine.ask({ tool: "chat", callerArguments, requestId, sessionId, message, settings: {} }, waiter);
}

function toldBy({ status, session_id, response_id, text }: RequestView): Told {
  return {
    status,
    error: false,
    sessionId: session_id,
    ...(response_id !== undefined && { responseId: response_id }),
    ...(text !== undefined && { text }),
  };
}

function toldOf(error: unknown): Told {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return { status: code, error: true };
}
