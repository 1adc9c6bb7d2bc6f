import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { HoldPoint } from "../script/scenario.ts";
import { isDelta, isFinal } from "./api-types.ts";
import type { Book } from "./book.ts";
import { inputTexts } from "./create-request.ts";
import { defaultReply } from "./default-reply.ts";
import type { Gate } from "./gate.ts";
import type { HeldResponse } from "./held-response.ts";
import { isNoise, type Prompt, type Step, textOf, timeline } from "./timeline.ts";
import { tokensIn } from "./usage.ts";

/** What generation needs of the simulator. */
export interface Workplace {
  readonly book: Book;
  readonly gate: Gate;
  /** The pause before each delta where the scenario names none. */
  readonly chunkMs: number;
  now(): number;
}

/** Generates the response at its scenario's pace, until it is settled or stopped. */
export async function generate(response: HeldResponse, workplace: Workplace): Promise<void> {
  const { headersMs = 0, firstEventMs = 0 } = response.scenario.pace ?? {};
  const pacer = createPacer(response, workplace);
  try {
    await rest(headersMs + firstEventMs, response.stopped);
    for (const step of timeline(promptOf(response, workplace))) {
      await pacer.before(step);
      response.take(step);
      await pacer.after(step);
    }
  } catch (error) {
    if (!response.stopped.aborted) throw error;
  } finally {
    response.log.end();
  }
}

/** Waits for the gate where the scenario holds at this point. */
export async function holdAt(point: HoldPoint, response: HeldResponse, gate: Gate): Promise<void> {
  const isHeld = response.scenario.hold?.some((held) => isDeepStrictEqual(held, point));
  if (isHeld) await gate.wait(placeOf(point), response.stopped);
}

function placeOf(point: HoldPoint): string {
  return typeof point === "string" ? point : `delta ${point.delta}`;
}

/** A pause that costs nothing when it is of no length. */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal });
}

function createPacer(response: HeldResponse, { gate, chunkMs }: Workplace) {
  const deltaMs = response.scenario.pace?.deltaMs ?? chunkMs;
  let deltas = 0;

  return {
    async before({ event, response: next }: Step): Promise<void> {
      response.stopped.throwIfAborted();
      if (next && isFinal(next.status)) await holdAt("before_terminal", response, gate);
      if (event && (isDelta(event) || isNoise(event))) await rest(deltaMs, response.stopped);
    },

    async after({ event }: Step): Promise<void> {
      if (event?.type === "response.created") await holdAt("created", response, gate);
      if (event?.type === "response.queued") await queue(response, gate);
      if (event && isDelta(event)) {
        deltas += 1;
        await holdAt({ delta: deltas }, response, gate);
      }
    },
  };
}

async function queue(response: HeldResponse, gate: Gate): Promise<void> {
  await holdAt("queued", response, gate);
  await response.polled(response.scenario.pace?.queuedForPolls ?? 0);
}

function promptOf(response: HeldResponse, workplace: Workplace): Prompt {
  const earlier = workplace.book.chain(response.request.previous_response_id);
  const heard = [...earlier, response].flatMap(({ request }) => inputTexts(request));
  const said = earlier.map(({ snapshot }) => textOf(snapshot.output));
  const instructions = response.request.instructions ?? "";
  return {
    facts: response,
    get scenario() {
      return response.scenario;
    },
    defaultReply: defaultReply(heard),
    inputTokens: [instructions, ...heard, ...said].map(tokensIn).reduce((sum, tokens) => sum + tokens, 0),
    now: () => workplace.now(),
  };
}
