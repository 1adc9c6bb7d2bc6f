/** Clients that can put a form before a person, each with a person who does as the test says. */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { ClientKind } from "../../interop/clients.ts";
import { serverEnvironment, serverFile, type ToolResult, toolResult } from "../../support/stdio.ts";
import type { World } from "../../support/world.ts";

export interface Reply {
  action: "accept" | "decline" | "cancel";
  content?: { confirm: boolean } | { answer: string };
}

export const replies = {
  yes: { action: "accept", content: { confirm: true } },
  no: { action: "decline" },
  dismissed: { action: "cancel" },
  unticked: { action: "accept", content: { confirm: false } },
  empty: { action: "accept" },
} satisfies Record<string, Reply>;

/** What the person does with a question; a rejection is a host that fails. */
export type Person = (text: string) => Reply | Promise<Reply>;

export interface Host {
  /** What the person was asked, in order. */
  asked: string[];
  call(tool: string, args: Record<string, unknown>): Promise<ToolResult>;
}

const identity = { name: "host-with-forms", version: "1.0.0" };
const forms = { capabilities: { elicitation: { form: {} } } };
const form = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({ required: z.tuple([z.enum(["confirm", "answer"])]) }),
});
const shape = z.record(z.string(), z.unknown());

export async function hostWith(
  kind: ClientKind,
  here: World,
  person: Person,
  more: Record<string, string> = {},
): Promise<Host> {
  const env = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir, env: more });
  const command = { command: process.execPath, args: [serverFile, "serve"], env, stderr: "ignore" as const };
  const asked: string[] = [];
  const answer = async (params: unknown): Promise<Reply> => {
    const { message } = form.parse(params);
    asked.push(message);
    return person(message);
  };
  const { client, call } = await (kind === "v1 client"
    ? legacy(command, answer)
    : modern(kind, command, answer));
  onTestFinished(() => client.close());
  return { asked, call: async (name, args) => toolResult(shape.parse(await call(name, args))) };
}

type Command = ConstructorParameters<typeof LegacyStdio>[0];
type Answer = (params: unknown) => Promise<Reply>;

async function legacy(command: Command, answer: Answer) {
  const client = new LegacyClient(identity, forms);
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await answer(params)) }));
  await client.connect(new LegacyStdio(command));
  return {
    client,
    call: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
  };
}

async function modern(kind: ClientKind, command: Command, answer: Answer) {
  const mode = kind === "v2 client, modern" ? "auto" : "legacy";
  const client = new ModernClient(identity, { ...forms, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...(await answer(params)) }));
  await client.connect(new ModernStdio(command));
  return {
    client,
    call: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
  };
}
