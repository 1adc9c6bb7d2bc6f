/** A host that takes tasks in place of results, spoken for in raw JSON-RPC: the SDK's own client takes none yet. */
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { envelope } from "../../support/eras.ts";
import { type Said, said } from "../../support/said.ts";
import { type ServerOptions, type StdioServer, spawnServer, toolResult } from "../../support/stdio.ts";
import { until, type World } from "../../support/world.ts";

export const tasks = "io.modelcontextprotocol/tasks";
const identity = { name: "task-host", version: "1.0.0" };

const capabilities = "io.modelcontextprotocol/clientCapabilities";
/** What goes with every request: with the extension, and without. */
export const declared = { ...envelope(identity), [capabilities]: { extensions: { [tasks]: {} } } };
export const undeclared = envelope(identity);

const common = {
  taskId: z.uuid(),
  statusMessage: z.string().min(10),
  createdAt: z.iso.datetime(),
  lastUpdatedAt: z.iso.datetime(),
  ttlMs: z.null(),
  pollIntervalMs: z.number().int().min(100),
};
const payload = z.record(z.string(), z.unknown());

/** "Derived shapes of `Task`" (ext-tasks, specification/draft/tasks.md), where `failed` and `input_required` do not happen. */
const detailed = z.discriminatedUnion("status", [
  z.strictObject({ ...common, status: z.literal("working") }),
  z.strictObject({ ...common, status: z.literal("cancelled") }),
  z.strictObject({ ...common, status: z.literal("completed"), result: payload }),
]);
export type DetailedTask = z.infer<typeof detailed>;

export interface Fault {
  code: number;
  message: string;
  data?: unknown;
}

export interface TaskHost {
  server: StdioServer;
  /** The raw result; fails on a protocol error. */
  request(method: string, params: object, meta?: object): Promise<Record<string, unknown>>;
  /** The protocol error; fails on a result. */
  fault(method: string, params: object, meta?: object): Promise<Fault>;
  call(tool: string, args: object, meta?: object): Promise<Record<string, unknown>>;
  /** The task as tasks/get has it. */
  get(taskId: string): Promise<DetailedTask>;
  /** Polls until the task has ended. */
  ended(taskId: string): Promise<DetailedTask>;
}

export async function taskHost(here: World, options: Partial<ServerOptions> = {}): Promise<TaskHost> {
  const server = spawnServer({ upstream: here.sim.url, dataDir: here.dataDir, ...options });
  onTestFinished(() => server.kill());
  const send = (method: string, params: object, meta: object = declared) =>
    server.begin(method, { ...params, _meta: meta }).reply;

  async function request(method: string, params: object, meta?: object) {
    const { result, error } = await send(method, params, meta);
    expect(error, method).toBeUndefined();
    return result ?? {};
  }
  async function fault(method: string, params: object, meta?: object): Promise<Fault> {
    const { result, error } = await send(method, params, meta);
    expect(result, method).toBeUndefined();
    return error ?? { code: 0, message: "" };
  }
  async function get(taskId: string) {
    const { resultType, _meta, ...task } = await request("tasks/get", { taskId });
    expect(resultType, "the type of what tasks/get gives").toBe("complete");
    return detailed.parse(task);
  }
  await request("server/discover", {});
  return {
    server,
    request,
    fault,
    call: (name, args, meta) => request("tools/call", { name, arguments: args }, meta),
    get,
    ended: (taskId) =>
      until("the task has ended", async () => {
        const task = await get(taskId);
        return task.status !== "working" && task;
      }),
  };
}

/** The receipt that a task also is, after both its readings were checked against each other. */
export function receiptOf(result: Record<string, unknown>): Said {
  const { resultType, content, structuredContent, isError, _meta, ...task } = result;
  expect({ resultType, isError }).toEqual({ resultType: "task", isError: false });
  const seed = detailed.parse(task);
  const receipt = said(toolResult(result));
  expect(seed).toMatchObject({ status: "working", taskId: receipt["request_id"] });
  return receipt;
}

/** What a tool said, where it said it at once or in a task that is over. */
export function answerOf(result: unknown): Said & { isError: boolean } {
  const { resultType = "complete", ...answer } = payload.parse(result);
  expect(resultType).toBe("complete");
  const told = toolResult(answer);
  return { ...said(told), isError: told.isError };
}

export function resultOf(task: DetailedTask): Said & { isError: boolean } {
  if (task.status !== "completed") throw new Error(`the task is ${task.status}`);
  return answerOf(task.result);
}
