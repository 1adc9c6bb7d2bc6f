/** The engine over real SQLite with a scripted provider: one process's worth of world, without a network. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Policy } from "../../src/contract/policy.ts";
import type { RequestView } from "../../src/contract/views.ts";
import { createEngine } from "../../src/engine/create.ts";
import type { Ask, Engine, Waiter } from "../../src/engine/engine.ts";
import type { Identity } from "../../src/engine/identity.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
import { temporaryDirectory } from "./world.ts";

export interface Workshop {
  engine: Engine;
  provider: ScriptedProvider;
  store: Store;
  file: string;
  /** Another engine on the same file, as another process would be. */
  another(options?: Options): Promise<Workshop>;
  chat(message: string, over?: Partial<Ask>, waiter?: Partial<Waiter>): Promise<RequestView>;
}

interface Options {
  file?: string;
  provider?: ScriptedProvider;
  policy?: Partial<Policy>;
  identity?: Identity;
  /** Owners that everybody may take for dead. */
  dead?: Set<string>;
}

let engines = 0;

/** An identity that can be declared dead, which no living process can be. */
export function mortal(dead: Set<string>): Identity {
  engines += 1;
  const owner = `test-owner-${engines}`;
  return { owner, process: `p${engines}`, isGone: (other) => dead.has(other) };
}

export async function workshop(options: Options = {}): Promise<Workshop> {
  const file = options.file ?? join(temporaryDirectory(), "claimcheck.db");
  const provider = options.provider ?? scriptedProvider();
  const store = await openSqliteStore({ file });
  const engine = createEngine({
    store,
    providers: new Map([[provider.name, provider]]),
    defaults: { provider: provider.name, model: "model-asked" },
    policy: { ...options.policy },
    identity: options.identity ?? mortal(options.dead ?? new Set()),
  });
  onTestFinished(async () => {
    await engine.close(0);
    await store.close();
  });
  return {
    engine,
    provider,
    store,
    file,
    another: (more = {}) => workshop({ ...options, file, provider, ...more }),
    chat: (message, over = {}, waiter = {}) =>
      engine.ask(
        {
          tool: "chat",
          callerArguments: {
            message,
            ...(over.sessionId && { session_id: over.sessionId }),
            ...over.callerArguments,
          },
          message,
          settings: {},
          ...over,
        },
        { budgetMs: 5_000, ...waiter },
      ),
  };
}
