/** One process's worth of claimcheck: an engine with its own store, identity and clock, that can be killed. */
import type { Ask, Engine } from "../../../src/engine/engine.ts";
import { createEngine, createOpenAIProvider, openSqliteStore } from "../../../src/index.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import type { Faults, WriteMoment, WriteName } from "../../../src/store/sqlite/transaction.ts";
import type { Store } from "../../../src/store/store.ts";
import { createHandClock, type HandClock } from "./hand-clock.ts";

/** A moment of a write, as the store names it: `commit:begin`, `claim:committed`. */
export type CrashPoint = `${WriteName}:${WriteMoment}`;

export interface WorkerOptions {
  file: string;
  upstream: string;
  owner: string;
  /** Wall time at which it starts. */
  at: number;
  /** Owners that were dead when it started. */
  dead: readonly string[];
  /** Whether its provider can be asked for a response later. */
  retrievable: boolean;
  /** Asked at each moment of each write: `die` there, as by SIGKILL; a thrown error is the disk's. */
  faults?: (point: CrashPoint) => "die" | undefined;
}

/** What the director tells a worker. Nothing here waits for upstream. */
export interface Worker {
  readonly owner: string;
  ask(ask: Ask): Promise<void>;
  cancel(id: string): Promise<void>;
  abandon(id: string): Promise<void>;
  attach(id: string, responseId: string): Promise<void>;
  /** Looks at a request as any reader does, which takes a dead owner's work over. */
  inspect(id: string): Promise<void>;
  /** Asks upstream again now. */
  recover(id: string): Promise<void>;
  setTime(wallMs: number): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Ends in good order. */
  close(): Promise<void>;
  /** Ends at once, as by SIGKILL. */
  kill(): Promise<void>;
}

const limits = { textBytes: 524_288, eventBytes: 8_388_608 };
/** Lives that are left unsettled must not be in each other's way. */
const unlimited = {
  maxContentBytes: Number.MAX_SAFE_INTEGER,
  maxLive: 1_000_000,
  maxRequests: 1_000_000,
  maxSessions: 1_000_000,
};
const never = 600_000;
/** In no environment of anybody's. */
const key = "sk-test-not-a-key";

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const clock = createHandClock(options.at);
  let dead = false;
  const faults: Faults = (point) => {
    if (dead || options.faults?.(point) !== "die") return;
    dead = true;
    clock.stop();
    throw new Error("The process is gone.");
  };
  const opened = await openSqliteStore({ file: options.file, busyMs: 100, faults });
  const store = mortal(opened, () => dead);
  const engine = engineOver(store, clock, options);
  const work = directed(engine, clock, options.owner);
  return {
    ...work,
    async close() {
      const closed = engine.close(0);
      await pumped(closed, clock);
      await opened.close();
    },
    async kill() {
      dead = true;
      clock.stop();
      await opened.close();
    },
  };
}

function engineOver(store: Store, clock: HandClock, { upstream, retrievable, owner, dead }: WorkerOptions) {
  const provider = providerAt(upstream, retrievable, clock);
  return createEngine({
    store,
    clock,
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "gpt-model" },
    // Lives that are left unresolved must not be in each other's way.
    policy: unlimited,
    identity: { owner, process: owner, isGone: (other) => dead.includes(other) },
  });
}

function providerAt(upstream: string, retrievable: boolean, clock: HandClock): Provider {
  const provider = createOpenAIProvider({
    apiKey: key,
    baseUrl: upstream,
    firstByteMs: never,
    idleMs: never,
    limits,
    now: () => clock.now(),
  });
  const { capabilities } = provider;
  return retrievable
    ? provider
    : { ...provider, capabilities: { ...capabilities, retrieve: false, background: false } };
}

const atOnce = { budgetMs: 0 };

function directed(engine: Engine, clock: HandClock, owner: string): Omit<Worker, "close" | "kill"> {
  return {
    owner,
    ask: async (ask) => void (await engine.ask(ask, atOnce)),
    cancel: async (id) => void (await engine.cancel(id, atOnce)),
    abandon: async (id) => void (await engine.abandon(id)),
    attach: async (id, responseId) => void (await engine.attach(id, responseId, atOnce)),
    inspect: async (id) => void (await engine.inspect(id)),
    recover: async (id) => void (await engine.recover(id, atOnce)),
    setTime: async (wallMs) => clock.set(wallMs),
    advance: async (ms) => clock.advance(ms),
  };
}

/** The store of a process that may be gone: then nothing it was still to write or read ever comes to an end. */
function mortal(store: Store, isDead: () => boolean): Store {
  const silence = () => new Promise<never>(() => {});
  return new Proxy(store, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      if (typeof part !== "function" || name === "watch") return part;
      return async (...args: unknown[]) => {
        if (isDead()) return silence();
        try {
          const outcome: unknown = await Reflect.apply(part, target, args);
          return isDead() ? await silence() : outcome;
        } catch (error) {
          if (isDead()) return silence();
          throw error;
        }
      };
    },
  });
}

/** What waits for time to pass gets it. */
async function pumped(work: Promise<void>, clock: HandClock): Promise<void> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  for (let turns = 0; !over; turns += 1) {
    clock.advance(turns < 20 ? 0 : 100);
    await new Promise(setImmediate);
  }
}
