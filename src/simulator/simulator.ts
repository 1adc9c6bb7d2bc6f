/**
 * A scripted OpenAI Responses API on loopback. It serves `claimcheck demo`, the tests and the benchmarks.
 *
 * Left alone it behaves like api.openai.com: streamed and plain answers, background responses that outlive their
 * connection, chains of turns, retrieval, resumption, cancellation, deletion, and the errors of each. A
 * {@link Scenario}, by name or in full, makes it misbehave. All that a reader needs is on four types:
 *
 * - {@link Rule}: which POST gets which scenario;
 * - {@link Scenario}: everything that can happen to a POST and its response (`script/scenario.ts`);
 * - {@link ScenarioName}: the ready-made ones (`script/catalogue.ts`);
 * - {@link Ledger}: what was seen, and what counts as a paid POST (`ledger.ts`).
 *
 * ```ts
 * const simulator = await startSimulator();
 * simulator.script({ match: { message: "plan" }, times: 1, scenario: "reset_before_headers" });
 * simulator.script({ scenario: { ...catalogue.stall_mid_text, readLag: { gets: 2 } } });
 * ```
 *
 * Not simulated: conversations, hosted tools, `max_output_tokens` (echoed, not enforced), rate limits of its own, and
 * what a cancelled stream ends with upstream, which nobody has recorded: here it ends without a terminal event.
 */
import type { Controlled } from "./http/control-routes.ts";
import { type Listener, listen } from "./http/listener.ts";
import { createRouter } from "./http/router.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { Book } from "./model/book.ts";
import { Gate } from "./model/gate.ts";
import type { HeldResponse } from "./model/held-response.ts";
import { type LaterRule, LaterRules } from "./script/later-calls.ts";
import { type Rule, Rules } from "./script/rules.ts";
import { type Scenario, scenarioSchema } from "./script/scenario.ts";
import type { State } from "./state.ts";

export { catalogue, type ScenarioName } from "./script/catalogue.ts";
export type { Rule } from "./script/rules.ts";
export type { Scenario } from "./script/scenario.ts";

export interface Simulator {
  /** The base URL for a client: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Says what later POSTs get; the latest rule that matches and has uses left wins. */
  script(rule: Rule): void;
  /** Says what later calls about existing responses get, or about one of them. */
  scriptLater(rule: LaterRule): void;
  /** Lets go on whatever holds at this moment, or what holds at one of the places that `ledger.held` names. */
  release(place?: string): void;
  /** Changes the scenario of the response that this request made, for what is still to come of it. */
  amend(requestId: string, part: Scenario): void;
  /** Breaks the connections on which that response is being streamed. */
  sever(requestId: string, how: "fin" | "reset"): void;
  /** Forgets rules, responses and ledger, and stops what is running. */
  reset(): void;
  /** Refuses connections until `resume()`; exchanges under way are finished. */
  pause(): Promise<void>;
  /** Listens on the same port again. */
  resume(): Promise<void>;
  /** Ends everything, open connections included. */
  close(): Promise<void>;
}

export interface SimulatorOptions {
  /** By default one that is free. */
  readonly port?: number;
  /** Tells the time of creation and the age of responses; it does not drive the pauses of a scenario. */
  readonly clock?: { now(): number };
  /** Milliseconds before each delta, where the scenario gives no pace; 0 by default. */
  readonly chunkMs?: number;
  /**
   * Every call waits when it came, under its kind (`create`, `retrieve`, `resume`, `cancel`), until `release()`; what
   * it gets can be scripted until then. So nothing happens upstream between two words of whoever directs it.
   */
  readonly byHand?: boolean;
  /** Whether other processes may script it under `/_sim/`; see `control.ts`. */
  readonly control?: boolean;
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { state, ledger } = createState(options);
  const controlled = {
    ...actionsOn(state),
    ledger,
    pause: () => listener.pause(),
    resume: () => listener.resume(),
  } satisfies Controlled;
  const router = createRouter(state, options.control ? controlled : undefined);
  const listener: Listener = await listen(router, options.port ?? 0);

  return {
    ...controlled,
    url: `http://127.0.0.1:${listener.port}/v1`,
    ledger,
    async close() {
      state.book.stopAll();
      await listener.close();
    },
  };
}

function createState({ clock = Date, chunkMs = 0, byHand = false }: SimulatorOptions): {
  state: State;
  ledger: Ledger;
} {
  const book = new Book();
  const gate = new Gate();
  const { ledger, writer } = createLedger(book, gate);
  const state: State = {
    book,
    gate,
    chunkMs,
    rules: new Rules(),
    laterRules: new LaterRules(),
    ledger: writer,
    byHand,
    now: () => clock.now(),
  };
  return { state, ledger };
}

function actionsOn({ book, gate, rules, laterRules, ledger }: State) {
  return {
    script: (rule: unknown) => rules.add(rule),
    scriptLater: (rule: unknown) => laterRules.add(rule),
    release: (place?: string) => gate.release(place),
    amend: (requestId: string, part: unknown) => madeBy(book, requestId).amend(scenarioSchema.parse(part)),
    sever: (requestId: string, how: "fin" | "reset") => madeBy(book, requestId).sever(how),
    reset() {
      rules.clear();
      laterRules.clear();
      book.clear();
      ledger.clear();
    },
  };
}

/** The latest response that the caller's request made. */
function madeBy(book: Book, requestId: string): HeldResponse {
  const response = book.all().findLast((made) => made.requestId === requestId);
  if (!response) throw new Error(`The simulator knows no response of the request ${requestId}.`);
  return response;
}
