/**
 * The life of one request, directed step by step: real engines over real SQLite and the real provider, an upstream
 * that does nothing until it is told, clocks that stand still. Between two steps nothing happens.
 */
import { randomUUID } from "node:crypto";
import type { RequestEvent } from "../../../machines/events.ts";
import type { LaterRule } from "../../../src/simulator/script/later-calls.ts";
import type { Scenario, Simulator } from "../../../src/simulator/simulator.ts";
import type { JournalRow, Store } from "../../../src/store/store.ts";
import type { Worker } from "./worker.ts";

type CallAbout = "retrieve" | "resume" | "cancel";
type StepOf<K extends CallAbout> = NonNullable<LaterRule[K]>[number];

/** What a life needs of the stage it is played on. */
export interface Stage {
  simulator: Simulator;
  /** For looking, never for writing. */
  store: Store;
  /** A worker that knows nothing yet, its wall clock set. */
  hire(wallMs: number): Promise<Worker>;
  /** From now on whoever is hired takes this owner for dead. */
  declareDead(owner: string): void;
}

/** Long enough for loopback on a busy machine, short enough to fail a test in time. */
const patienceMs = 5_000;

export class Life {
  readonly id = randomUUID();
  readonly #stage: Stage;
  readonly #workers: Worker[] = [];
  /** Who brought the request where it can be collected. */
  #collector: Worker | null = null;
  #wall: number;
  #crashes = 0;
  /** Version of the last step. */
  #version = 0;

  constructor(stage: Stage, wallMs: number) {
    this.#stage = stage;
    this.#wall = wallMs;
  }

  /** The first step: a claim by a worker of its own. */
  async claim(settings: { background: boolean }, sessionId?: string): Promise<void> {
    await this.askAgain(await this.hire(), settings, sessionId);
  }

  /** The same id and the same arguments, wherever the request is by now. */
  async askAgain(worker: Worker, settings: { background: boolean }, sessionId?: string): Promise<void> {
    await worker.ask({
      tool: "chat",
      requestId: this.id,
      message: "A question.",
      callerArguments: { message: "A question." },
      settings: { background: settings.background },
      ...(sessionId !== undefined && { sessionId }),
    });
  }

  /** One further step: `direct` brings it about; what it wrote is the journal's next row. */
  async happen({ type, at }: Pick<RequestEvent, "type" | "at">, direct: (life: Life) => Promise<void>) {
    await this.#setTime(at);
    await direct(this);
    const row = await this.#rowAt(this.#version + 1);
    if (row.type !== type) throw new Error(`${type} was to happen, but ${row.type} did`);
    this.#version += 1;
    if (row.state === "recovery_required") this.#collector = this.#worker(row.process);
  }

  /** From what is stored, whoever wrote it, `worker` goes on. */
  async goOnWith(worker: Worker): Promise<void> {
    const record = await this.#stage.store.load(this.id);
    this.#version = record?.version ?? 0;
    this.#collector = worker;
  }

  /** Everybody's wall clock jumps. */
  async jump(toWallMs: number): Promise<void> {
    await this.#setTime(toWallMs);
  }

  /** The journal up to the last step; what followed by itself is not in it. */
  async journal(): Promise<JournalRow[]> {
    const rows = await this.#stage.store.journal(this.id);
    return rows.filter(({ seq }) => seq <= this.#version);
  }

  async hire(): Promise<Worker> {
    const worker = await this.#stage.hire(this.#wall);
    this.#workers.push(worker);
    return worker;
  }

  /** POSTs that left, whatever became of them. */
  get posts(): number {
    const { requests } = this.#stage.simulator.ledger;
    return requests.filter(
      ({ method, path, headers }) =>
        method === "POST" && path === "/v1/responses" && headers["x-client-request-id"] === this.id,
    ).length;
  }

  /** Generations that began upstream. */
  get paid(): number {
    return this.#stage.simulator.ledger.postsFor(this.id);
  }

  /** Upstream has a response of it that can be found, or may still make one. */
  get isHeardOf(): boolean {
    return this.#madeUpstream()?.background === true || this.#isHeld("create");
  }

  /** Upstream is done with it, whoever knows. */
  get isEndedUpstream(): boolean {
    const status = this.#madeUpstream()?.status ?? "queued";
    return status !== "queued" && status !== "in_progress";
  }

  /** Waits until so many POSTs have left, and a little longer for one too many. */
  async postsSettle(expected: number): Promise<number> {
    await this.#until(`${expected} POSTs have left`, () => this.posts >= expected);
    await this.breathe();
    return this.posts;
  }

  /** A little time in which what must not happen could. */
  async breathe(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  }

  async answerPost(scenario: Scenario): Promise<void> {
    const { simulator } = this.#stage;
    await this.#until("the POST is there", () => this.#isHeld("create"));
    simulator.script({ times: 1, scenario });
    simulator.release("create");
  }

  /** Generation goes on to its end. Whoever reads the stream sees it, else upstream is asked. */
  async endUpstream(part: Scenario): Promise<void> {
    const { simulator } = this.#stage;
    simulator.amend(this.id, part);
    for (const place of ["created", "queued"]) simulator.release(place);
    await this.#until("upstream is done", () => this.isEndedUpstream);
    await this.#collect("normal");
  }

  async severStream(): Promise<void> {
    this.#stage.simulator.sever(this.id, "reset");
  }

  /** Upstream is asked for the response and says this. */
  async answerRetrieval(step: StepOf<"retrieve">): Promise<void> {
    await this.#collect(step);
  }

  async answerCancel(step: StepOf<"cancel">): Promise<void> {
    await this.#until("the asking to cancel is there", () => this.#isHeld("cancel"));
    this.#answer("cancel", step);
    // Where the owner changed meanwhile, the asker leaves it to whoever collects.
    if (step === "normal") await this.#collect("normal");
  }

  /** By a worker that has read nothing of the stream yet, so that it gets it from the beginning. */
  async reattach(): Promise<void> {
    await this.breathe();
    if (this.#isHeld("resume")) this.#answer("resume", "expired");
    const worker = await this.hire();
    await worker.recover(this.id);
    await this.#untilWritten(() => this.#isHeld("resume") && this.#answer("resume", "normal"));
  }

  /** A caller's wish reaches a worker that has nothing to do with the request. */
  async wish(what: "cancel" | "abandon"): Promise<void> {
    const worker = await this.hire();
    await worker[what](this.id);
  }

  /** A caller found the response upstream. */
  async attach(): Promise<void> {
    if (this.#madeUpstream() === undefined) await this.answerPost({ reply: "reset", hold: ["queued"] });
    const found = await this.#until("upstream has it", () => this.#madeUpstream());
    const worker = await this.hire();
    const attached = worker.attach(this.id, found.id);
    attached.catch(() => {}); // A crash may leave nobody to hear of it.
    await this.#until("it is asked for", () => this.#isHeld("retrieve"));
    this.#answer("retrieve", "in_progress");
    await attached;
  }

  /** The owner is taken for dead by everybody else, and goes on not knowing. */
  async loseOwner(): Promise<void> {
    this.#stage.declareDead((await this.#owner()).owner);
    const worker = await this.hire();
    await worker.inspect(this.id);
  }

  /** Time passes for the owner, until it did what it had to; it may have done so already. */
  async letTimePass(ms: number): Promise<void> {
    const record = await this.#stage.store.load(this.id);
    const owner = this.#workers.find((one) => one.owner === record?.owner);
    await owner?.advance(ms);
    await this.#untilWritten(() => owner?.advance(100));
  }

  /** Everybody at work on it is gone at once, and known to be gone. */
  async crash(): Promise<void> {
    this.#crashes += 1;
    for (const worker of this.#workers.splice(0)) {
      this.#stage.declareDead(worker.owner);
      await worker.kill();
    }
    await this.breathe();
    this.#answerTheDead();
  }

  /** In a process that is really gone nobody would wait any more; a POST stays, since upstream goes on with it. */
  #answerTheDead(): void {
    if (this.#isHeld("retrieve")) this.#answer("retrieve", 503);
    if (this.#isHeld("resume")) this.#answer("resume", "expired");
    if (this.#isHeld("cancel")) this.#answer("cancel", 503);
  }

  async end(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await worker.close();
  }

  /** Has the response asked for until something came of it. */
  async #collect(step: StepOf<"retrieve">): Promise<void> {
    let answered = false;
    await this.#untilWritten(async () => {
      if (this.#isHeld("resume")) this.#answer("resume", "expired");
      else if (this.#isHeld("retrieve")) {
        this.#answer("retrieve", step);
        answered = true;
      } else if (!answered) await this.#collector?.recover(this.id);
    });
  }

  /** What this request made upstream, as it is now. */
  #madeUpstream() {
    return this.#stage.simulator.ledger.responses.find(({ requestId }) => requestId === this.id);
  }

  #isHeld(call: CallAbout | "create"): boolean {
    return this.#stage.simulator.ledger.held.includes(call);
  }

  /** All calls of this kind that wait now get the same answer. */
  #answer<K extends CallAbout>(call: K, step: StepOf<K>): void {
    const { simulator } = this.#stage;
    const waiting = simulator.ledger.held.filter((held) => held === call).length;
    simulator.scriptLater({ [call]: Array.from({ length: waiting }, () => step) });
    simulator.release(call);
  }

  async #setTime(wallMs: number): Promise<void> {
    this.#wall = wallMs;
    for (const worker of this.#workers) await worker.setTime(wallMs);
  }

  async #owner(): Promise<Worker> {
    const record = await this.#stage.store.load(this.id);
    return this.#worker(record?.owner ?? "");
  }

  #worker(owner: string): Worker {
    const worker = this.#workers.find((one) => one.owner === owner);
    if (!worker) throw new Error(`Nobody here is ${owner}.`);
    return worker;
  }

  async #rowAt(seq: number): Promise<JournalRow> {
    return this.#until(`version ${seq} is written`, async () => {
      const rows = await this.#stage.store.journal(this.id);
      return rows.find((row) => row.seq === seq && row.note === 0);
    });
  }

  async #untilWritten(meanwhile: () => unknown): Promise<void> {
    const record = await this.#stage.store.load(this.id);
    if (record === null) throw new Error("There is no such request.");
    await this.#until("the next version is written", async () => {
      const now = await this.#stage.store.load(this.id);
      if (now !== null && now.version > this.#version) return true;
      await meanwhile();
      return false;
    });
  }

  /** Like `until` of the other tests, but looks again at every turn of the event loop, and ends with a crash. */
  async #until<T>(what: string, probe: () => Seen<T> | Promise<Seen<T>>): Promise<T> {
    const crashes = this.#crashes;
    const end = performance.now() + patienceMs;
    for (;;) {
      const seen = await probe();
      if (seen !== false && seen !== undefined) return seen;
      if (this.#crashes !== crashes) throw new Error(`crashed before ${what}`);
      if (performance.now() > end) throw new Error(`waited ${patienceMs} ms in vain until ${what}`);
      await turn();
    }
  }
}

type Seen<T> = T | false | undefined;

/** One turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
