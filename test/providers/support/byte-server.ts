/** A server that says exactly the bytes a test is about. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ByteServer {
  /** The base URL for a provider. */
  url: string;
  /** Every request as `METHOD path`. */
  seen: string[];
  /** The body of each, as text. */
  bodies: string[];
  /** The headers of the last one. */
  headers: IncomingMessage["headers"];
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Serves until the test ends. The request's body has been read when `reply` is called. */
export async function serve(reply: Reply): Promise<ByteServer> {
  const server = createServer(async (request, response) => {
    self.seen.push(`${request.method} ${request.url}`);
    self.headers = request.headers;
    self.bodies.push(await text(request));
    await reply(response, request);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const self: ByteServer = { url: `http://127.0.0.1:${port}/v1`, seen: [], bodies: [], headers: {} };
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  );
  return self;
}

export const eventStream = { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "req_test" };

/** Answers with one body, its bytes cut as told, each piece in a write of its own. */
export function sayInPieces(
  pieces: readonly Uint8Array[],
  headers: Record<string, string> = eventStream,
): Reply {
  return async (response) => {
    response.writeHead(200, headers);
    for (const piece of pieces) {
      if (response.destroyed) return;
      response.write(piece);
      await new Promise((turn) => setImmediate(turn));
    }
    response.end();
  };
}

export function say(body: string, headers: Record<string, string> = eventStream): Reply {
  return sayInPieces([Buffer.from(body)], headers);
}

export function sayJson(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "x-request-id": "req_test",
      ...headers,
    });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Says this and then nothing, the connection held open; `drop` breaks it. GETs are answered by `later`. */
export function sayAndHold(body: string, later: Reply): { reply: Reply; drop(): void } {
  let held: ServerResponse | undefined;
  return {
    reply(response, request) {
      if (request.method === "GET") return later(response, request);
      held = response.writeHead(200, eventStream);
      return response.write(body);
    },
    drop: () => held?.destroy(),
  };
}
