/** `claimcheck show ID`: one request, its record and everything that happened to it. */
import { stateCards } from "../../machines/states.ts";
import { duration, type RailStyle, rail, toneOf } from "../chart/rail.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import { isUuid } from "../contract/fields.ts";
import type { JournalView, RequestView } from "../contract/views.ts";
import { openReader } from "./assemble.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { isThere } from "./database.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadConfig } from "./load-config.ts";
import { styleFor } from "./terminal.ts";
import type { World } from "./world.ts";

export const show: Command = {
  help: `claimcheck show ID - one request, and everything that happened to it

  ID        the request_id, a UUID
  --ascii   plain ASCII
  --json    the same as JSON

  Nothing is sent, and nothing counts as delivered.`,
  options: { ascii: { type: "boolean" }, json: { type: "boolean" } },
  takes: ["ID"],
  async run(given, world) {
    const found = await find(idOf(given), given, world);
    world.stdout.write(given.flag("json") ? `${JSON.stringify(found)}\n` : pageOf(found, given, world));
    return exitCodes.ok;
  },
};

interface Found {
  request: RequestView;
  journal: JournalView[];
}

function idOf(given: Given): string {
  const id = given.positionals[0] ?? "";
  if (!isUuid(id)) throw new UsageError("ID must be a UUID; claimcheck list shows them.");
  return id.toLowerCase();
}

async function find(id: string, given: Given, world: World): Promise<Found> {
  const config = loadConfig(given, world, { needsKey: false });
  if (!isThere(config.database))
    throw new ClaimcheckError("unknown_request", `No requests yet: there is no ${config.database}.`);
  const reader = await openReader(config);
  try {
    return { request: await reader.inspect(id), journal: await reader.journal(id) };
  } finally {
    await reader.close();
  }
}

function pageOf({ request, journal }: Found, given: Given, world: World): string {
  const style = styleFor(world, given.flag("ascii"));
  return `${[...recordLines(request, style), "", ...rail(journal, style)].join("\n")}\n`;
}

function recordLines(request: RequestView, style: RailStyle): string[] {
  const facts: [string, string | undefined][] = [
    ["state", stateOf(request, style)],
    ["session", `${request.session_id}, turn ${request.turn}`],
    ["asked", `${request.requested_model} through ${request.tool}, ${request.provider}`],
    ["answered by", request.model],
    ["response", request.response_id],
    ["took", duration(request.timings.elapsed_ms)],
    ["tokens", tokensOf(request.usage)],
    ["why", request.failure?.code ?? request.incomplete_reason ?? request.lost_to],
    ["warnings", request.warnings.join(", ") || undefined],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [fact(name, value, style)]));
  return [
    request.request_id,
    ...lines,
    "",
    ...wrapped(`${sentenceOf(request)} ${request.next}`.trim(), style),
  ];
}

const fact = (name: string, value: string, style: RailStyle) =>
  `  ${style.paint("dim", name.padEnd(12))}${value}`;

function stateOf({ status }: RequestView, { paint }: RailStyle): string {
  return status === "result_pruned" ? status : paint(toneOf({ state: status }), status);
}

function sentenceOf({ status }: RequestView): string {
  return status === "result_pruned" ? "" : stateCards[status].sentence;
}

/** Upstream's own object: the two counts most providers name alike, where they are there. */
function tokensOf(usage: RequestView["usage"]): string | undefined {
  const [read, written] = [usage?.["input_tokens"], usage?.["output_tokens"]];
  return typeof read === "number" && typeof written === "number" ? `${read} in, ${written} out` : undefined;
}

/** Calls in it are one word each, so that they can be copied whole. */
function wrapped(given: string, style: RailStyle): string[] {
  const text = style.ascii ? given.replaceAll("…", "...") : given;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length + 3 > style.width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line) => `  ${line}`);
}
