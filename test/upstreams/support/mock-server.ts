/** MockServer: a Java server with a codec for the Responses API, programmed and read out over HTTP. */
import { spawnSync } from "node:child_process";
import * as z from "zod";
import { installed } from "./installed.ts";
import { startProcess } from "./server-process.ts";
import type { Call, Upstream } from "./upstream.ts";

/** Answers of its own codec; <https://mock-server.com/mock_server/llm_response_mocking.html>. */
export interface Answer {
  text?: string;
  toolCalls?: { id: string; name: string; arguments: string }[];
  stopReason?: string;
  usage?: { inputTokens: number; outputTokens: number; reasoningTokens?: number };
  /** Whether it streams; it does not look at what was asked for. */
  streaming: boolean;
}

export interface Chaos {
  truncateMode?: "MID_STREAM";
  truncateAtFraction?: number;
  malformedSse?: boolean;
  errorStatus?: number;
  errorProbability?: number;
  /** Seconds. */
  retryAfter?: string;
}

/** One event as it goes over the wire, whether or not its data is JSON. */
export interface WireEvent {
  event?: string;
  data: string;
  delay?: { timeUnit: "MILLISECONDS"; value: number };
}

export interface MockServer extends Upstream {
  /** Forgets what it was told, what it stored and what it was asked. */
  reset(): Promise<void>;
  answers(answer: Answer, chaos?: Chaos): Promise<void>;
  /** Streams these events for POSTs and then closes the connection. */
  streams(events: readonly WireEvent[]): Promise<void>;
  /** Sends this as a stream's body; claims it to be longer than it is where told to, and then closes the socket. */
  sends(body: string, claimedBytes?: number): Promise<void>;
  /** Drops the connection of the next POST once it was read; sends `bytes` before where given. */
  drops(bytes?: Buffer): Promise<void>;
  /** Answers GETs for a response. */
  finds(responseId: string, status: number, body?: object): Promise<void>;
}

/** Whether a `java` is on the PATH that runs; MockServer needs 11 or later. */
export function hasJava(): boolean {
  return spawnSync("java", ["-version"]).status === 0;
}

const jar = "mockserver-node/mockserver-netty-8.0.0-jar-with-dependencies.jar";

const requestsSchema = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.array(z.string())),
    body: z.unknown().optional(),
  }),
);

export async function startMockServer(): Promise<MockServer> {
  const server = startProcess("java", [
    "-Xmx256m",
    // It would listen on every interface otherwise.
    "-Dmockserver.localBoundIP=127.0.0.1",
    ...["-jar", installed(jar), "-serverPort", "0"],
  ]);
  const port = await server.printed(
    "MockServer started",
    (line) => /started on port: (\d+)/.exec(line)?.[1] ?? null,
  );
  const url = `http://127.0.0.1:${port}`;

  async function control(path: string, body: object = {}): Promise<string> {
    const reply = await fetch(`${url}/mockserver/${path}`, { method: "PUT", body: JSON.stringify(body) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`MockServer refused ${path}: ${text}`);
    return text;
  }

  const expects = async (method: string, path: string, action: object) => {
    await control("expectation", { httpRequest: { method, path }, ...action });
  };

  return {
    baseUrl: `${url}/v1`,
    async reset() {
      await control("reset");
    },
    answers: (completion, chaos) =>
      expects("POST", "/v1/responses", {
        httpLlmResponse: {
          provider: "OPENAI_RESPONSES",
          model: "gpt-by-codec",
          completion,
          ...(chaos && { chaos }),
        },
      }),
    streams: (events) =>
      expects("POST", "/v1/responses", { httpSseResponse: { events, closeConnection: true } }),
    sends: (body, claimedBytes) =>
      expects("POST", "/v1/responses", {
        httpResponse: {
          headers: { "content-type": ["text/event-stream"] },
          body,
          connectionOptions: {
            closeSocket: true,
            ...(claimedBytes !== undefined && { contentLengthHeaderOverride: claimedBytes }),
          },
        },
      }),
    drops: (bytes) =>
      expects("POST", "/v1/responses", {
        times: { remainingTimes: 1 },
        httpError: { dropConnection: true, ...(bytes && { responseBytes: bytes.toString("base64") }) },
      }),
    finds: (responseId, statusCode, body) =>
      expects("GET", `/v1/responses/${responseId}`, {
        httpResponse: {
          statusCode,
          headers: { "content-type": ["application/json"] },
          ...(body && { body: JSON.stringify(body) }),
        },
      }),
    async calls() {
      const requests = await control("retrieve?type=REQUESTS&format=JSON");
      return requestsSchema.parse(JSON.parse(requests)).map(callOf);
    },
    stop: server.stop,
  };
}

/** The journal of requests does not say what they were answered with, and the one of answers leaves streams out. */
function callOf({ headers, ...call }: z.infer<typeof requestsSchema>[number]): Call {
  const lowered = Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(", ")]);
  return { ...call, body: call.body, headers: Object.fromEntries(lowered), status: null };
}
