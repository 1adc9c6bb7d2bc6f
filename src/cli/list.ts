/** `claimcheck list`: requests, newest first. */
import { phaseOf, type RequestState, requestStates, stateCards } from "../../machines/states.ts";
import { cut, duration, type RailStyle, toneOf } from "../chart/rail.ts";
import type { RequestLine } from "../contract/views.ts";
import { openReader } from "./assemble.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { isThere } from "./database.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadConfig } from "./load-config.ts";
import { styleFor } from "./terminal.ts";
import type { World } from "./world.ts";

const phases = ["live", "unresolved", "final"] as const;

export const list: Command = {
  help: `claimcheck list - requests, newest first

  --state NAME     only these; may be given several times. A state
                   (${requestStates.slice(0, 4).join(", ")},
                   ${requestStates.slice(4).join(", ")})
                   or a phase (${phases.join(", ")})
  --limit N        how many, 1 to 100; default 20
  --before CURSOR  further back: next_cursor of the page before
  --ascii          plain ASCII
  --json           the same as JSON`,
  options: {
    state: { type: "string", multiple: true },
    limit: { type: "string" },
    before: { type: "string" },
    ascii: { type: "boolean" },
    json: { type: "boolean" },
  },
  takes: [],
  async run(given, world) {
    const query = queryOf(given);
    const page = await pageFor(query, given, world);
    world.stdout.write(given.flag("json") ? `${JSON.stringify(page)}\n` : tableOf(page, given, world));
    return exitCodes.ok;
  },
};

interface Query {
  states?: RequestState[];
  limit: number;
  before?: string;
}

interface Page {
  requests: RequestLine[];
  next_cursor?: string;
}

function queryOf(given: Given): Query {
  const states = given.texts("state").flatMap(statesCalled);
  const before = given.text("before");
  return {
    limit: limitOf(given.text("limit") ?? "20"),
    ...(states.length > 0 && { states }),
    ...(before !== undefined && { before }),
  };
}

function statesCalled(name: string): RequestState[] {
  const called = requestStates.filter((state) => state === name || phaseOf(state) === name);
  if (called.length === 0)
    throw new UsageError(`There is no state "${name}"; claimcheck list --help names them.`);
  return called;
}

function limitOf(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) throw new UsageError("--limit must be a whole number from 1 to 100.");
  return limit;
}

/** A database that is not there yet holds nothing, and looking does not make one. */
async function pageFor(query: Query, given: Given, world: World): Promise<Page> {
  const config = loadConfig(given, world, { needsKey: false });
  if (!isThere(config.database)) {
    world.stderr.write(`claimcheck: there is no ${config.database} yet.\n`);
    return { requests: [] };
  }
  const reader = await openReader(config);
  try {
    return await reader.requests(query);
  } finally {
    await reader.close();
  }
}

function tableOf({ requests, next_cursor }: Page, given: Given, world: World): string {
  if (requests.length === 0) return "No requests.\n";
  const style = styleFor(world, given.flag("ascii"));
  const lines = requests.map((request) => lineOf(request, style, world.now()));
  const more =
    next_cursor === undefined ? [] : [style.paint("dim", `More: claimcheck list --before ${next_cursor}`)];
  return `${[...lines, ...more].join("\n")}\n`;
}

function lineOf(request: RequestLine, style: RailStyle, now: number): string {
  const card = stateCards[request.status];
  const state = `${style.ascii ? card.ascii : card.glyph} ${request.status}`;
  const age = `${duration(Math.max(0, now - Date.parse(request.created_at)))} ago`;
  const rest = ` ${age.padStart(12)} ${request.requested_model}`;
  return `${request.request_id}  ${style.paint(toneOf({ state: request.status }), state.padEnd(19))}${cut(rest, style.width - 57)}`.trimEnd();
}
