import * as z from "zod";
import { sessionsInput } from "../../contract/sessions.ts";
import { settingsSchema } from "../../contract/settings.ts";
import type { SessionView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { invalidArguments, parseAction } from "../arguments.ts";
import { type Answer, done } from "../reply.ts";
import { defineTool } from "../tool.ts";

export const sessions = defineTool({
  name: "sessions",
  title: "Manage sessions",
  description: `List conversations, look at one, change its defaults, or delete it. Metadata only: neither instructions' text nor answers are shown. configure and delete are refused while a request of the session is live or unresolved. delete removes the session, its requests and its answers here, for good; what the provider stores stays there. chat creates sessions by itself; use answers {"action":"history"} for a session's turns.`,
  input: sessionsInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async (input, call) => {
    const operation = parseAction(`sessions ${input.operation}`, operations, input);
    if (operation.operation === "configure") checkChanges(operation);
    return perform(operation, await call.engine());
  },
});

const rows = 20;

const configure = sessionsInput
  .omit({ limit: true, after: true })
  .required({ session_id: true })
  .extend({ operation: z.literal("configure") });
type Configure = z.infer<typeof configure>;

/** What each operation takes of the flat input. */
const operations = z.discriminatedUnion("operation", [
  sessionsInput.pick({ limit: true, after: true }).extend({ operation: z.literal("list") }),
  sessionsInput
    .pick({ session_id: true })
    .required()
    .extend({ operation: z.literal("get") }),
  configure,
  sessionsInput
    .pick({ session_id: true })
    .required()
    .extend({ operation: z.literal("delete") }),
]);

async function perform(input: z.infer<typeof operations>, engine: Engine): Promise<Answer> {
  switch (input.operation) {
    case "list":
      return done(await engine.sessions({ limit: input.limit ?? rows, after: input.after }));
    case "get":
      return about(await engine.session(input.session_id), continuing);
    case "configure":
      return about(await engine.configureSession(input.session_id, changesOf(input)), continuing);
    case "delete":
      return about(await engine.deleteSession(input.session_id), gone);
  }
}

function about(session: SessionView, next: (session: SessionView) => object): Answer {
  const { session_id, ...rest } = session;
  return done({ session_id, ...next(session), ...rest });
}

const continuing = ({ session_id, active_request_id }: SessionView) => ({
  next:
    active_request_id === undefined
      ? `chat {"session_id":"${session_id}","message":…} continues it.`
      : `answers {"action":"wait","request_id":"${active_request_id}"} first; then chat {"session_id":"${session_id}","message":…}.`,
});

const gone = () => ({
  deleted: true,
  next: "Nothing to do here. Responses stored by the provider are still there; only the provider can delete them.",
});

function changesOf({ name, instructions, unset = [], ...rest }: Configure) {
  return { name, instructions, settings: settingsSchema.parse(rest), unset };
}

/** Nothing to change, or the same default both set and cleared: whatever we did would be a guess. */
function checkChanges({ operation: _, session_id: __, unset = [], ...set }: Configure): void {
  const fields = Object.keys(set);
  const both = unset.filter((field) => fields.includes(field));
  if (both.length > 0) {
    const named = both.map((field) => `"${field}"`).join(", ");
    throw invalidArguments([{ fields: both, sentence: `${named} cannot be set and cleared in one call.` }]);
  }
  if (fields.length + unset.length === 0) {
    throw invalidArguments([
      { fields: [], sentence: "sessions configure needs a default to set, or unset." },
    ]);
  }
}
