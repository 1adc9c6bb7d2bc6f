/** The five tools that ask for a second opinion: one input, one way, and an answer in sections. */

import { isInputRequiredResult } from "@modelcontextprotocol/server";
import { type Opinion, opinions } from "../../advice/opinions.ts";
import type { PreparedOpinion, Receipt } from "../../advice/prepare.ts";
import { type OpinionInput, opinionInput } from "../../contract/opinion.ts";
import type { OpinionTool } from "../../contract/opinion-tools.ts";
import type { Ask } from "../../engine/engine.ts";
import { delivered } from "../reply.ts";
import { withSections } from "../sections.ts";
import { defineTool, type Tool } from "../tool.ts";

export interface Advice {
  /** Refuses or reads files, takes secrets out, fits the rest, and puts it into words. */
  prepare(opinion: Opinion, input: OpinionInput): Promise<PreparedOpinion>;
  /** The model of a tool where neither call nor session names one. */
  models: Readonly<Partial<Record<OpinionTool, string>>>;
  /** Whether answers are held to a JSON schema where the provider can do that. */
  structured: boolean;
}

/** The toolset `advice`, in the order it is listed. */
export function adviceTools(advice: Advice): readonly Tool[] {
  return opinions.map((opinion) => opinionTool(opinion, advice));
}

function opinionTool(opinion: Opinion, advice: Advice): Tool {
  return defineTool({
    name: opinion.name,
    title: opinion.title,
    description: `${opinion.description} One paid generation by another model, which sees only what you pass and advises only. Secrets are taken out first. Receipts, repeats and sessions as with chat.`,
    input: opinionInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    maxResultChars: 100_000,
    answer: async (input, call) => {
      const engine = await call.engine();
      const { ask, receipt } = askFor(opinion, input, advice);
      const view = await engine.ask(ask, call.waiterOfAsk(input.wait_ms));
      const seen = await call.personally(view, input.wait_ms);
      return isInputRequiredResult(seen) ? seen : delivered({ ...withSections(seen), ...receipt() });
    },
  });
}

/**
 * Put into words only where it is sent: a replay needs neither the files nor the layers of the first time, and has no
 * receipt of what became of them.
 */
function askFor(opinion: Opinion, input: OpinionInput, { prepare, models, structured }: Advice) {
  let receipt: Receipt | undefined;
  const { request_id, wait_ms: _, ...callerArguments } = input;
  const ask: Ask = {
    tool: opinion.name,
    callerArguments,
    requestId: request_id,
    sessionId: input.session_id,
    instructionsFor: "call",
    settings: input.model === undefined ? {} : { model: input.model },
    usualModel: models[opinion.name],
    compose: async () => {
      const { receipt: told, format, ...words } = await prepare(opinion, input);
      receipt = told;
      return { ...words, ...(structured && { format }) };
    },
  };
  return { ask, receipt: () => receipt ?? {} };
}
