/** aimock: answers by fixtures that are handed to it while it runs, and keeps a journal of what it was asked. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { installed } from "./installed.ts";
import { startProcess } from "./server-process.ts";
import type { Upstream } from "./upstream.ts";

/** As much of its fixture format as these tests use (1.43; <https://aimock.copilotkit.dev/fixtures>). */
export interface Fixture {
  response:
    | { content: string; reasoning?: string; finishReason?: string; usage?: Record<string, number> }
    | { toolCalls: { name: string; arguments: string }[] }
    | { error: { message: string; type: string; code: string }; status: number; retryAfter?: number };
  /** Ms between two events. */
  latency?: number;
  /** UTF-16 units of one delta. */
  chunkSize?: number;
  /** Events after which it destroys the socket. */
  truncateAfterChunks?: number;
  chaos?: { disconnectRate?: number; malformedRate?: number; dropRate?: number };
}

export interface Aimock extends Upstream {
  /** Forgets what it was told and what it was asked. */
  reset(): Promise<void>;
  /** Answers every call like this. */
  answers(fixture: Fixture): Promise<void>;
  /** Refuses the next call with this; a 429 says to come back after a second. */
  refusesNext(status: number, code: string): Promise<void>;
}

const journalSchema = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
    response: z.object({ status: z.number() }),
  }),
);

export async function startAimock(): Promise<Aimock> {
  const noFixtures = mkdtempSync(join(tmpdir(), "claimcheck-aimock-"));
  const server = startProcess(process.execPath, [
    installed("@copilotkit/aimock/dist/cli.js"),
    ...["--host", "127.0.0.1", "--port", "0", "--fixtures", noFixtures],
  ]);
  const url = await server.printed(
    "aimock listens",
    (line) => /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? null,
  );

  async function control(path: string, body: object = {}) {
    const reply = await fetch(`${url}/__aimock/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`aimock refused ${path}: ${await reply.text()}`);
  }

  return {
    baseUrl: `${url}/v1`,
    reset: () => control("reset"),
    answers: (fixture) => control("fixtures", { fixtures: [{ match: { userMessage: "" }, ...fixture }] }),
    refusesNext: (status, code) => control("error", { status, body: { message: code, type: code, code } }),
    async calls() {
      const journal = journalSchema.parse(await (await fetch(`${url}/__aimock/journal`)).json());
      return journal.map(({ response, ...call }) => ({ ...call, status: response.status }));
    },
    async stop() {
      await server.stop();
      rmSync(noFixtures, { recursive: true });
    },
  };
}
