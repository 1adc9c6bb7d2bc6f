/** Steady: serves an OpenAPI document, refuses what it does not allow and makes the answers up from its schemas. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { freePort } from "./free-port.ts";
import { installed } from "./installed.ts";
import { startProcess } from "./server-process.ts";
import type { Call, Upstream } from "./upstream.ts";

export interface Steady extends Pick<Upstream, "calls" | "stop"> {
  /** The server that a prefix of the document describes. */
  at(prefix: string): Upstream;
  /** What it found wrong with the calls so far, by its own words. */
  complaints(): Promise<string[]>;
}

const document = fileURLToPath(new URL("../responses.openapi.yaml", import.meta.url));

const logLine = z.object({
  type: z.literal("request"),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
  }),
  response: z.object({ status: z.number() }),
  diagnostics: z.array(z.object({ message: z.string() })),
});

export async function startSteady(): Promise<Steady> {
  const port = await freePort();
  const server = startProcess(process.execPath, [
    installed("@stdy/cli/steady.js"),
    ...["--host", "127.0.0.1", "--port", String(port)],
    ...["--log-format", "json", "--log-level", "full"],
    ...["--generator-seed=-1", "--stream-count=4", "--stream-interval=5"],
    document,
  ]);
  await server.printed("Steady started", (line) => (line.includes('"type":"startup"') ? line : null));

  const url = `http://127.0.0.1:${port}`;

  /** Its log comes through a pipe, some time later; once it shows a call of our own, it shows all before that. */
  async function log() {
    const mark = `/mark/${randomUUID()}`;
    await fetch(`${url}${mark}`);
    await server.printed("Steady has logged what came so far", (line) => (line.includes(mark) ? line : null));
    const entries = server.lines.flatMap((line) => logLine.safeParse(parsed(line)).data ?? []);
    return entries.filter(({ request }) => !request.path.startsWith("/mark/"));
  }

  const calls = async (): Promise<Call[]> =>
    (await log()).map(({ request, response }) => ({ ...request, status: response.status }));
  return {
    calls,
    at: (prefix) => ({ baseUrl: `${url}/${prefix}`, calls, stop: server.stop }),
    complaints: async () =>
      (await log()).flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message)),
    stop: server.stop,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
