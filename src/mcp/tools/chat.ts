import { isInputRequiredResult } from "@modelcontextprotocol/server";
import { type ChatInput, chatInput } from "../../contract/chat.ts";
import { settingsSchema } from "../../contract/settings.ts";
import type { Ask } from "../../engine/engine.ts";
import { delivered } from "../reply.ts";
import { defineTool } from "../tool.ts";

export const chat = defineTool({
  name: "chat",
  title: "Ask a model",
  description: `Ask the configured model, OpenAI by default: a second opinion, an analysis, the next turn of a session. One call is one paid generation, sent at most once. Returns the answer, or, when the wait is over first, a receipt (claimed, streaming): the work goes on, and answers {"action":"wait","request_id":…} collects it. Never ask again because a reply was slow or lost: repeat the same request_id with the same arguments, or look in the inbox of answers; neither pays twice. The message goes to the provider. Use answers to collect or re-read, sessions for a conversation's defaults, request_status to stop or recover a request.`,
  input: chatInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  maxResultChars: 100_000,
  answer: async (input, call) => {
    const engine = await call.engine();
    const view = await engine.ask(askOf(input), call.waiterOfAsk(input.wait_ms));
    const seen = await call.personally(view, input.wait_ms);
    return isInputRequiredResult(seen) ? seen : delivered(seen);
  },
});

function askOf(input: ChatInput): Ask {
  const { request_id, wait_ms: _, ...callerArguments } = input;
  return {
    tool: "chat",
    callerArguments,
    requestId: request_id,
    sessionId: input.session_id,
    message: input.message,
    instructions: input.instructions,
    provider: input.provider,
    settings: settingsSchema.parse(input),
  };
}
