import { EventEmitter, once } from "node:events";
import { type LaterCalls, type Steps, stepsOf } from "../script/later-calls.ts";
import type { Scenario } from "../script/scenario.ts";
import { isFinal, type ResponseObject } from "./api-types.ts";
import type { CreateRequest } from "./create-request.ts";
import { EventLog } from "./event-log.ts";
import { newId } from "./id.ts";
import { type ResponseFacts, responseObject } from "./response-object.ts";
import type { Step } from "./timeline.ts";

export type Break = "fin" | "reset";

/** Told when its connection shall break. */
type Reader = (how: Break) => void;

/** One response as the simulated server holds it, from the accepted POST on. */
export class HeldResponse implements ResponseFacts {
  readonly id = newId("resp");
  readonly createdAt: number;
  readonly request: CreateRequest;
  /** The caller's own name for it, if the POST gave one. */
  readonly requestId: string | null;
  readonly log = new EventLog();
  readonly steps: Steps;
  readonly #stop = new AbortController();
  readonly #polling = new EventEmitter();
  readonly #readers = new Set<Reader>();
  #scenario: Scenario;
  #snapshot: ResponseObject;
  #started: boolean;
  #gone = false;
  #polls = 0;
  #lag: { gets: number; turns: number };

  constructor(accepted: {
    request: CreateRequest;
    requestId: string | null;
    scenario: Scenario;
    at: number;
  }) {
    const { request, scenario } = accepted;
    this.request = request;
    this.requestId = accepted.requestId;
    this.#scenario = scenario;
    this.createdAt = accepted.at;
    this.#started = !request.background;
    this.steps = stepsOf(laterCallsOf(scenario));
    this.#lag = { gets: scenario.readLag?.gets ?? 0, turns: scenario.readLag?.turns ?? 0 };
    this.#snapshot = responseObject(this, { status: request.background ? "queued" : "in_progress" });
  }

  get scenario(): Scenario {
    return this.#scenario;
  }

  /** Changes what is still to come; what was planned or said already stays. */
  amend(part: Scenario): void {
    this.#scenario = { ...this.#scenario, ...part };
  }

  /** Somebody reads its stream until the function returned is called. */
  attend(reader: Reader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Breaks the connections of all who read its stream. */
  sever(how: Break): void {
    for (const reader of this.#readers) reader(how);
  }

  /** The response as it is now. */
  get snapshot(): ResponseObject {
    return this.#snapshot;
  }

  /** Aborted when nothing more will be generated. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get settled(): boolean {
    return isFinal(this.#snapshot.status);
  }

  /** Tokens were spent: it is not queued and did not fail. What was cancelled or lost is paid for all the same. */
  get billed(): boolean {
    return this.#started && this.#snapshot.status !== "failed";
  }

  /** Background responses can be asked for at once, others when they are finished, and only if they are stored. */
  get retrievable(): boolean {
    return !this.#gone && (this.request.background || (this.request.store && this.settled));
  }

  get polls(): number {
    return this.#polls;
  }

  take({ event, response }: Step): void {
    if (event?.type === "response.in_progress") this.#started = true;
    if (response && !this.#wasCancelledBefore(response)) this.#snapshot = response;
    if (event) this.log.append(event);
  }

  /** Somebody asked how it is. */
  poll(): void {
    this.#polls += 1;
    this.#polling.emit("poll");
  }

  async polled(times: number): Promise<void> {
    while (this.#polls < times) await once(this.#polling, "poll", { signal: this.stopped });
  }

  cancel(): void {
    if (this.settled) return;
    this.#snapshot = responseObject(this, { status: "cancelled" });
    if (!this.scenario.ignoresCancel) this.stop();
  }

  /** It cannot be retrieved any more: it was deleted, or its foreground connection broke. */
  remove(): void {
    this.#gone = true;
    if (!this.settled) this.#snapshot = responseObject(this, { status: "cancelled" });
    this.stop();
  }

  /** Generates no more, whatever state it is in. */
  stop(): void {
    this.#stop.abort();
  }

  /** Whether read lag hides it from a GET at this moment; hiding uses up one of the scripted times. */
  hidesFromGet(now: number): boolean {
    if (now < this.createdAt + (this.scenario.readLag?.ms ?? 0)) return true;
    this.#lag.gets -= 1;
    return this.#lag.gets >= 0;
  }

  /** The same for a turn that continues it. */
  hidesFromTurn(): boolean {
    this.#lag.turns -= 1;
    return this.#lag.turns >= 0;
  }

  /** Where cancelling is ignored it looks cancelled until the very end. */
  #wasCancelledBefore(response: ResponseObject): boolean {
    return this.#snapshot.status === "cancelled" && !isFinal(response.status);
  }
}

function laterCallsOf({ retrieve, resume, cancel }: Scenario): LaterCalls {
  return { retrieve, resume, cancel };
}
