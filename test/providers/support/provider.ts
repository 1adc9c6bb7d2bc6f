/** A provider under test and what it is asked. */
import { onTestFinished } from "vitest";
import { createOpenAIProvider, type OpenAIProviderOptions } from "../../../src/providers/openai/openai.ts";
import type { ClosingReport, PaidCall, Provider, StreamReport } from "../../../src/providers/provider.ts";
import {
  type Scenario,
  type ScenarioName,
  type Simulator,
  startSimulator,
} from "../../../src/simulator/simulator.ts";

/** Stands in the message of every call; nothing a provider reports may contain it. */
export const secretWord = "tangerine";
export const requestId = "0c3d7f0e-5b9a-4f3e-9d68-0a4f6b0f3c11";
export const testKey = "test-key-not-real";

export const never = new AbortController().signal;

export function providerAt(baseUrl: string, over: Partial<OpenAIProviderOptions> = {}): Provider {
  return createOpenAIProvider({
    apiKey: testKey,
    baseUrl,
    firstByteMs: 10_000,
    idleMs: 10_000,
    limits: { textBytes: 512 * 1024, eventBytes: 8 * 1024 * 1024 },
    ...over,
  });
}

export function paidCall({
  settings = {},
  ...over
}: Partial<Omit<PaidCall, "settings">> & { settings?: Partial<PaidCall["settings"]> } = {}): PaidCall {
  return {
    requestId,
    message: `What do you make of ${secretWord}?`,
    instructions: null,
    previousResponseId: null,
    transcript: [],
    format: null,
    settings: {
      model: "gpt-sim",
      max_output_tokens: 256,
      timeout_ms: 120_000,
      background: true,
      ...settings,
    },
    ...over,
  };
}

/** A simulator for this test, and a provider that talks to it. */
export async function upstream(
  scenario?: ScenarioName | Scenario,
  over: Partial<OpenAIProviderOptions> = {},
) {
  const simulator: Simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  if (scenario !== undefined) simulator.script({ scenario });
  return { simulator, ledger: simulator.ledger, provider: providerAt(simulator.url, over) };
}

export async function all(reports: AsyncIterable<StreamReport>): Promise<StreamReport[]> {
  const heard: StreamReport[] = [];
  for await (const report of reports) heard.push(report);
  return heard;
}

/** The last report; fails where a closing report is missing or not the last. */
export function closing(reports: readonly StreamReport[]): ClosingReport {
  const closings = reports.filter(isClosing);
  const [only] = closings;
  if (only === undefined || closings.length > 1 || reports.at(-1) !== only) {
    throw new Error(`Expected one closing report, at the end: ${reports.map(({ type }) => type).join(", ")}`);
  }
  return only;
}

function isClosing(report: StreamReport): report is ClosingReport {
  return report.type !== "upstream.accepted" && report.type !== "attached" && report.type !== "progress";
}

/** The carry of a stream that broke off. */
export function carryIn(reports: readonly StreamReport[]) {
  const report = closing(reports);
  return "carry" in report ? report.carry : null;
}

export function textOf(report: StreamReport | Awaited<ReturnType<Provider["retrieve"]>>): string | null {
  return "outcome" in report ? report.outcome.text : null;
}
