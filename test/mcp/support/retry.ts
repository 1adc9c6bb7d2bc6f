/** A 2026-07-28 host with forms, spoken for in raw JSON-RPC over memory: it may retry with whatever it likes. */
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect } from "vitest";
import * as z from "zod";
import type { Engine } from "../../../src/engine/engine.ts";
import { createMcpServer } from "../../../src/mcp/server.ts";
import { envelope } from "../../support/eras.ts";
import { type Said, said } from "../../support/said.ts";
import { toolResult } from "../../support/stdio.ts";
import { allTools } from "./tools.ts";

const meta = {
  ...envelope({ name: "host-with-forms", version: "1.0.0" }),
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

/** What a retry carries: the person's reply, and what came with the question. */
export interface Retry {
  reply?: object | undefined;
  state?: string | undefined;
}

export type Heard =
  | { kind: "asked"; text: string; state: string }
  | { kind: "answered"; isError: boolean; said: Said };

const questionShape = z.object({
  resultType: z.literal("input_required"),
  inputRequests: z.strictObject({
    confirm: z.object({ method: z.literal("elicitation/create"), params: z.object({ message: z.string() }) }),
  }),
  requestState: z.string(),
});
const resultShape = z.record(z.string(), z.unknown());

export interface RetryingHost {
  call(name: string, args: object, retry?: Retry): Promise<Heard>;
  close(): Promise<void>;
}

export async function retryingHost(engine: Engine): Promise<RetryingHost> {
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const parts = {
    tools: allTools,
    engine: async () => engine,
    log: () => {},
    version: "0.0.0",
    monotonicMs: () => 0,
    newId: () => "incident-1",
  };
  const server = serveStdio(({ era }) => createMcpServer(parts, era), { transport: serverSide });
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>();
  clientSide.onmessage = (message) => "id" in message && waiting.get(message.id)?.(message);
  await clientSide.start();
  let id = 0;

  async function request(method: string, params: object): Promise<unknown> {
    id += 1;
    const reply = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve));
    await clientSide.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
    const message = await reply;
    expect(message).toHaveProperty("result");
    return "result" in message ? message.result : undefined;
  }

  await request("server/discover", {});
  return {
    async call(name, args, { reply, state } = {}) {
      const result = await request("tools/call", {
        name,
        arguments: args,
        ...(reply !== undefined && { inputResponses: { confirm: reply } }),
        ...(state !== undefined && { requestState: state }),
      });
      return heardIn(result);
    },
    close: () => server.close(),
  };
}

function heardIn(result: unknown): Heard {
  const question = questionShape.safeParse(result);
  if (question.success) {
    const { inputRequests, requestState } = question.data;
    return { kind: "asked", text: inputRequests.confirm.params.message, state: requestState };
  }
  const told = toolResult(resultShape.parse(result));
  return { kind: "answered", isError: told.isError, said: said(told) };
}
