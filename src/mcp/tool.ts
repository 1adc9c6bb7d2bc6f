import type { InputRequiredResult, Tool as ListedTool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { RequestView } from "../contract/views.ts";
import type { Engine, Waiter } from "../engine/engine.ts";
import { parseArguments } from "./arguments.ts";
import type { Describe } from "./confirm/confirm.ts";
import { inputSchemaOf, outputSchemaOf } from "./portable-schema.ts";
import { type Answer, outputShape } from "./reply.ts";

/** One tools/call as a tool sees it. */
export interface Call {
  /** The engine, connected on first use; rejects with a `ClaimcheckError`, or when the caller has gone meanwhile. */
  engine(): Promise<Engine>;
  /** Waits `waitMs`, or what suits the host; ends with the caller's interest, reports progress if wanted. */
  waiter(waitMs: number | undefined): Waiter;
  /** The same for a call that asks: it ends early where the person who uses the host can be asked next. */
  waiterOfAsk(waitMs: number | undefined): Waiter;
  /**
   * Asks the person who uses the host, where the host can ask, for as long as `waiter` would wait. Undefined where
   * `describe`d may be done, and then at once; else what the call ends with.
   */
  confirm(describe: Describe, waitMs?: number): Promise<Outcome | undefined>;
  /** The same view, or with the answer of the person who uses the host, where it waits for one and they can be asked. */
  personally(view: RequestView, waitMs?: number): Promise<RequestView | InputRequiredResult>;
}

/** What a call ends with: an answer, or a question without which it goes no further. */
export type Outcome = Answer | InputRequiredResult;

export interface Tool {
  readonly name: string;
  /** The tool as `tools/list` shows it. */
  listed(): ListedTool;
  /** Checks the arguments, does what they ask for. Rejects with a `ClaimcheckError` that says what to do next. */
  answer(given: unknown, call: Call): Promise<Outcome>;
}

interface ToolSpec<I extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  /** What Claude Code may show without writing the result to a file; its own limit is about 50,000. */
  maxResultChars?: number;
  answer(input: z.infer<I>, call: Call): Promise<Outcome>;
}

export function defineTool<I extends z.ZodObject>(spec: ToolSpec<I>): Tool {
  let listed: ListedTool | undefined;
  return {
    name: spec.name,
    listed: () => {
      listed ??= listing(spec);
      return listed;
    },
    answer: async (given, call) => spec.answer(parseArguments(spec.name, spec.input, given), call),
  };
}

function listing<I extends z.ZodObject>(spec: ToolSpec<I>): ListedTool {
  const { name, title, description, annotations, maxResultChars } = spec;
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(spec.input),
    outputSchema: outputSchemaOf(outputShape),
    annotations,
    ...(maxResultChars !== undefined && { _meta: { "anthropic/maxResultSizeChars": maxResultChars } }),
  };
}
