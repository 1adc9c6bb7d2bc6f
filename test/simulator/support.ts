import OpenAI from "openai";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import { test as base, expect, vi } from "vitest";
import {
  type Rule,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../src/simulator/simulator.ts";

interface World {
  simulator: Simulator;
  client: OpenAI;
  /** Starts a simulator with options of its own. */
  start(options: SimulatorOptions): Promise<Simulator>;
  /** Posts once under the scenario and reads the stream. */
  play(scenario: Rule["scenario"], ask?: Ask): Promise<Reading>;
}

/** A simulator and an SDK client for each test; whatever a test starts is closed after it. */
export const test = base.extend<World>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern
  start: async ({}, use) => {
    const started: Simulator[] = [];
    await use(async (options) => {
      const simulator = await startSimulator(options);
      started.push(simulator);
      return simulator;
    });
    for (const simulator of started) await simulator.close();
  },
  simulator: async ({ start }, use) => use(await start({})),
  client: async ({ simulator }, use) => use(clientOf(simulator)),
  play: async ({ simulator, client }, use) =>
    use((scenario, ask) => {
      simulator.script({ scenario, times: 1 });
      return read(client.responses.create(asking(ask)));
    }),
});

export function clientOf({ url }: Pick<Simulator, "url">): OpenAI {
  return new OpenAI({ apiKey: "sk-test", baseURL: url, maxRetries: 0, logLevel: "off" });
}

export interface Ask {
  message?: string;
  background?: boolean;
  previous?: string;
}

/** The body of a streamed POST. */
export function asking({ message = "Hello there", background = false, previous }: Ask = {}) {
  return {
    model: "gpt-sim",
    input: message,
    stream: true as const,
    background,
    ...(previous !== undefined && { previous_response_id: previous }),
  };
}

/** What the reader of a stream saw, to its end or to the error that ended it. */
export interface Reading {
  events: ResponseStreamEvent[];
  types: string[];
  text: string;
  id: string;
  /** The text in the output of the last event that had one. */
  finalText: string;
  /** The response of the last event that had one. */
  response: Response | undefined;
  error: unknown;
}

export async function read(stream: Promise<AsyncIterable<ResponseStreamEvent>>): Promise<Reading> {
  const events: ResponseStreamEvent[] = [];
  try {
    for await (const event of await stream) events.push(event);
    return readingOf(events, undefined);
  } catch (error) {
    return readingOf(events, error);
  }
}

function readingOf(events: ResponseStreamEvent[], error: unknown): Reading {
  const responses = events.flatMap((event) => ("response" in event ? [event.response] : []));
  return {
    events,
    types: events.map(({ type }) => type),
    text: textOf(events),
    id: responses[0]?.id ?? "",
    finalText: finalTextOf(responses.at(-1)),
    response: responses.at(-1),
    error,
  };
}

function finalTextOf(response: Response | undefined): string {
  const items = response?.output ?? [];
  const parts = items.flatMap((item) => (item.type === "message" ? item.content : []));
  return parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
}

/** What the deltas add up to. */
export function textOf(events: readonly ResponseStreamEvent[]): string {
  return events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
}

/** The error of a call that has to fail. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail("the call should have failed"),
    (error: unknown) => error,
  );
}

export async function untilHolding(simulator: Simulator, count = 1): Promise<void> {
  await vi.waitFor(() => expect(simulator.ledger.holding).toBe(count), { timeout: 5_000, interval: 5 });
}

export async function eventually(claim: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(claim, { timeout: 5_000, interval: 5 });
}

export { expect };
