/** Completes what a person types into a template or a prompt: ids and names of what there is, newest first. */
import type { CompleteResult, Server } from "@modelcontextprotocol/server";
import { opinionNamed } from "../advice/opinions.ts";
import type { SessionView } from "../contract/views.ts";
import type { Engine } from "../engine/engine.ts";
import { orRefusal } from "./refusal.ts";
import { requestTemplate, sessionTemplate } from "./resources/templates.ts";
import type { CallParts } from "./tool-call.ts";

/** "Servers return an array of values ranked by relevance, maximum 100" (server/utilities/completion). */
const mostValues = 100;
/** How far back is looked for a prefix: a person waits for each letter. */
const mostLookedAt = 1_000;
const pageSize = 100;

/** What was found, and whether everything was looked at. */
interface Found {
  values: string[];
  whole: boolean;
}

type Source = (engine: Engine, typed: string) => Promise<Found>;

export function serveCompletion(server: Server, parts: CallParts): void {
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) =>
    orRefusal(parts, { name: "completion/complete" }, async () => {
      const source =
        ref.type === "ref/resource"
          ? forTemplate(ref.uri, argument.name)
          : forPrompt(ref.name, argument.name);
      if (source === undefined) return completion({ values: [], whole: true });
      return completion(await source(await parts.engine(), argument.value.toLowerCase()));
    }),
  );
}

function forTemplate(template: string, variable: string): Source | undefined {
  if (variable !== "id") return undefined;
  if (template === requestTemplate) return requestIds;
  return template === sessionTemplate ? sessionRefs : undefined;
}

function forPrompt(prompt: string, argument: string): Source | undefined {
  return argument === "session_id" && opinionNamed(prompt) !== undefined ? sessionRefs : undefined;
}

function completion({ values, whole }: Found): CompleteResult {
  const hasMore = !whole || values.length > mostValues;
  return {
    completion: {
      values: values.slice(0, mostValues),
      ...(whole && { total: values.length }),
      hasMore,
    },
  };
}

async function requestIds(engine: Engine, typed: string): Promise<Found> {
  const values: string[] = [];
  let before: string | undefined;
  for (let looked = 0; looked < mostLookedAt && values.length <= mostValues; looked += pageSize) {
    const page = await engine.requests({ limit: pageSize, before });
    values.push(...page.requests.map(({ request_id }) => request_id).filter((id) => id.startsWith(typed)));
    before = page.next_cursor;
    if (before === undefined) return { values, whole: true };
  }
  return { values, whole: false };
}

/** Sessions are kept by id, so the newest are known when all were seen. A name stands before its id. */
async function sessionRefs(engine: Engine, typed: string): Promise<Found> {
  const sessions: SessionView[] = [];
  let after: string | undefined;
  do {
    const page = await engine.sessions({ limit: pageSize, after });
    sessions.push(...page.sessions);
    after = page.next_cursor;
  } while (after !== undefined && sessions.length < mostLookedAt);
  const values = sessions
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    .flatMap(({ name, session_id }) => (name === undefined ? [session_id] : [name, session_id]))
    .filter((value) => value.toLowerCase().startsWith(typed));
  return { values, whole: after === undefined };
}
