/**
 * JSON-RPC over two byte streams, one message a line. The SDK's own transport closes the connection at a line of
 * 10 MB and says nothing to a line it cannot read; here both get an error, and the connection lives.
 */
import type { Readable } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { type Line, lineSplitter } from "./line-splitter.ts";
import { withObjectArguments } from "./stand-in.ts";

type RequestId = string | number;

export interface LineTransportParts {
  input: Readable;
  /** Writes whole lines, in order; `done` once they are out or cannot be. */
  write: (text: string, done: (error?: Error | null) => void) => void;
  maxLineBytes: number;
  /** After each response that went out. */
  onReplied: () => void;
}

export interface LineTransport extends Transport {
  /** Resolves once every request received has its reply, or after `limitMs`. */
  drained(limitMs: number): Promise<void>;
}

export function lineTransport({ input, write, maxLineBytes, onReplied }: LineTransportParts): LineTransport {
  const split = lineSplitter(maxLineBytes);
  const unanswered = new Set<RequestId>();
  let onDrained = () => {};
  let closed = false;

  const settle = (id: RequestId) => {
    unanswered.delete(id);
    if (unanswered.size === 0) onDrained();
  };
  const put = (message: unknown) =>
    new Promise<void>((resolve, reject) => {
      write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  const receive = (line: Line) => {
    const read = readLine(line, maxLineBytes);
    if (read === null) return;
    if ("fault" in read) {
      put(read.fault).catch(() => {});
      return;
    }
    if (isJSONRPCRequest(read.message)) unanswered.add(read.message.id);
    const cancelled = cancelledBy(read.message);
    if (cancelled !== undefined) settle(cancelled);
    transport.onmessage?.(read.message);
  };
  const onData = (chunk: Buffer) => {
    for (const line of split(chunk)) receive(line);
  };

  const transport: LineTransport = {
    start: async () => {
      input.on("data", onData);
    },
    send: async (message) => {
      if (closed) throw new Error("The connection is closed; nothing can be sent.");
      await put(message);
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      if (message.id !== undefined) settle(message.id);
      onReplied();
    },
    close: async () => {
      if (closed) return;
      closed = true;
      input.off("data", onData);
      input.pause();
      transport.onclose?.();
    },
    drained: (limitMs) =>
      new Promise((resolve) => {
        const limit = setTimeout(resolve, limitMs);
        onDrained = () => {
          clearTimeout(limit);
          resolve();
        };
        if (unanswered.size === 0) onDrained();
      }),
  };
  return transport;
}

type Read = { message: JSONRPCMessage } | { fault: object } | null;

function readLine(line: Line, maxLineBytes: number): Read {
  if (line.kind === "oversized") {
    const id = idAtEitherEnd(line);
    return fault(
      id,
      ProtocolErrorCode.InvalidRequest,
      `The message is longer than ${maxLineBytes} bytes; send less.`,
    );
  }
  if (line.text.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return fault(
      null,
      ProtocolErrorCode.ParseError,
      "The line is not JSON; send one JSON-RPC message a line.",
    );
  }
  try {
    return { message: withObjectArguments(parseJSONRPCMessage(value)) };
  } catch {
    if (isReply(value)) return failedReply(value);
    return fault(
      idOf(value),
      ProtocolErrorCode.InvalidRequest,
      "The line is JSON, but no JSON-RPC 2.0 message.",
    );
  }
}

/** Meant as an answer to us: its id is of our numbering, and answering an answer could go on for ever. */
function isReply(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !("method" in value) &&
    ("result" in value || "error" in value)
  );
}

/** Whoever waits for it learns that the client failed; one that names nobody is dropped. */
function failedReply(value: unknown): Read {
  const id = idOf(value);
  if (id === null) return null;
  const error = { code: ProtocolErrorCode.InternalError, message: "The client's reply is malformed." };
  return { message: { jsonrpc: "2.0", id, error } };
}

function fault(id: RequestId | null, code: number, message: string): Read {
  return { fault: { jsonrpc: "2.0", id, error: { code, message } } };
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
}

/** Clients put the id first or last; anchored there, it can only be the message's own. */
function idAtEitherEnd({ head, tail }: { head: string; tail: string }): RequestId | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{0,128}")\s*,/.exec(
    head,
  );
  const last = /"id"\s*:\s*(\d{1,15}|"[^"\\]{0,128}")\s*\}\s*$/.exec(tail);
  const found = first?.[1] ?? last?.[1];
  return found === undefined ? null : idOf({ id: JSON.parse(found) });
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return undefined;
  return idOf({ id: message.params?.["requestId"] }) ?? undefined;
}
