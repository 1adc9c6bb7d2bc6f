import * as z from "zod";
import { answersInput } from "../../contract/answers.ts";
import type { Engine } from "../../engine/engine.ts";
import { parseAction } from "../arguments.ts";
import { type Answer, delivered, done } from "../reply.ts";
import { withSections } from "../sections.ts";
import { type Call, defineTool } from "../tool.ts";

export const answers = defineTool({
  name: "answers",
  title: "Collect answers",
  description: `Collect what chat started; reading only, nothing is generated or paid here. wait: after a receipt, waits for one request's answer, through recovery too. read: one page of a long answer. inbox: after a restart or a lost reply, what is finished but unread, running, or needs attention. history: a session's turns, without their texts. Waiting and reading mark the answer as read. Use chat to ask, request_status to cancel, recover or abandon.`,
  input: answersInput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  maxResultChars: 100_000,
  answer: async (input, call) => {
    const action = parseAction(`answers ${input.action}`, actions, input);
    return perform(action, await call.engine(), call);
  },
});

const rows = 20;

/** What each action takes of the flat input. session_id beside request_id only repeats where it belongs. */
const actions = z.discriminatedUnion("action", [
  answersInput
    .pick({ request_id: true, session_id: true, wait_ms: true })
    .required({ request_id: true })
    .extend({ action: z.literal("wait") }),
  answersInput
    .pick({ request_id: true, session_id: true, wait_ms: true, offset: true })
    .required({ request_id: true })
    .extend({ action: z.literal("read") }),
  answersInput.pick({ session_id: true, limit: true, wait_ms: true }).extend({ action: z.literal("inbox") }),
  answersInput
    .pick({ session_id: true, limit: true, before: true, wait_ms: true })
    .required({ session_id: true })
    .extend({ action: z.literal("history") }),
]);

async function perform(input: z.infer<typeof actions>, engine: Engine, call: Call): Promise<Answer> {
  switch (input.action) {
    case "wait":
      return delivered(withSections(await engine.wait(input.request_id, call.waiter(input.wait_ms))));
    case "read":
      return delivered(
        withSections(await engine.read(input.request_id, input.offset ?? 0, call.waiter(input.wait_ms))),
      );
    case "inbox":
      return done(await engine.inbox({ sessionId: input.session_id, limit: input.limit ?? rows }));
    case "history": {
      const { session_id: sessionId, limit = rows, before } = input;
      return done(await engine.history({ sessionId, limit, before }));
    }
  }
}
