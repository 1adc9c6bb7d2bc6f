import * as z from "zod";
import { phaseOf } from "../../../machines/states.ts";
import { isUuid } from "../../contract/fields.ts";
import { sessionsInput } from "../../contract/sessions.ts";
import { settingsSchema } from "../../contract/settings.ts";
import type { SessionView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { blocked } from "../../engine/refusals.ts";
import { invalidArguments, parseAction } from "../arguments.ts";
import type { Question } from "../confirm/question.ts";
import { type Answer, done } from "../reply.ts";
import { type Call, defineTool, type Outcome } from "../tool.ts";

export const sessions = defineTool({
  name: "sessions",
  title: "Manage sessions",
  description: `List conversations, look at one, change its defaults, or delete it. Metadata only: neither instructions' text nor answers are shown. configure and delete are refused while a request of the session is live or unresolved. delete removes the session, its requests and its answers here, for good; what the provider stores stays there. chat creates sessions by itself; use answers {"action":"history"} for a session's turns.`,
  input: sessionsInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async (input, call) => {
    const operation = parseAction(`sessions ${input.operation}`, operations, input);
    if (operation.operation === "configure") checkChanges(operation);
    return perform(operation, await call.engine(), call);
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

async function perform(input: z.infer<typeof operations>, engine: Engine, call: Call): Promise<Outcome> {
  switch (input.operation) {
    case "list":
      return done(await engine.sessions({ limit: input.limit ?? rows, after: input.after }));
    case "get":
      return about(await engine.session(input.session_id), continuing);
    case "configure":
      return about(await engine.configureSession(input.session_id, changesOf(input)), continuing);
    case "delete": {
      const id = await idOf(engine, input.session_id);
      const unconfirmed = await call.confirm(() => deletion(engine, id));
      return unconfirmed ?? about(await engine.deleteSession(id), gone);
    }
  }
}

/** A name can pass to another session while somebody is asked; the id cannot. */
async function idOf(engine: Engine, idOrName: string): Promise<string> {
  return isUuid(idOrName) ? idOrName : (await engine.session(idOrName)).session_id;
}

/** What deleting the session would take away now. Nobody is asked about what would be refused. */
async function deletion(engine: Engine, id: string): Promise<Question> {
  await refuseWhileHeld(engine, await engine.session(id));
  const { session_id, name, updated_at, counts } = await engine.session(id);
  const called = name === undefined ? session_id : `"${name}" (${session_id})`;
  return {
    facts: ["sessions delete", session_id, called, updated_at, String(counts.requests)],
    text: `Delete session ${called} with its ${plural(counts.requests, "request")}, ${counts.completed} of them answered? Here they are gone for good, answers included. What the provider stored of them stays there.`,
    otherwise: "Nothing was deleted.",
    call: `sessions {"operation":"delete","session_id":"${session_id}"}`,
    ids: { session_id },
  };
}

/** Looking at the request that holds the session first settles what a dead process left. */
async function refuseWhileHeld(engine: Engine, { active_request_id }: SessionView): Promise<void> {
  if (active_request_id === undefined) return;
  const { request_id: id, session_id: sessionId, status } = await engine.inspect(active_request_id);
  if (status !== "result_pruned" && phaseOf(status) !== "final")
    throw blocked({ id, sessionId, state: status });
}

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`;

function about(session: SessionView, next: (session: SessionView) => object): Answer {
  const { session_id, ...rest } = session;
  return done({ session_id, ...next(session), ...rest });
}

const continuing = ({ session_id, active_request_id }: SessionView) => ({
  next:
    active_request_id === undefined
      ? `chat {"session_id":"${session_id}","message":"…"} continues it.`
      : `answers {"action":"wait","request_id":"${active_request_id}"} first; then chat {"session_id":"${session_id}","message":"…"}.`,
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
