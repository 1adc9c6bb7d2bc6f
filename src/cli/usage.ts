/** `claimcheck usage`: what was used, what it cost, and what was not paid twice. */
import { cut, type RailStyle } from "../chart/rail.ts";
import type { SumView, UsageView } from "../contract/views.ts";
import type { UsageQuery } from "../engine/usage.ts";
import { type Grouping, groupings } from "../ledger/summary.ts";
import { openReader } from "./assemble.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { isThere } from "./database.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadConfig } from "./load-config.ts";
import { styleFor } from "./terminal.ts";
import type { World } from "./world.ts";

export const usage: Command = {
  help: `claimcheck usage - what was used, and what was not paid twice

  --by NAME        day (default), session, tool, model or request
  --since DATE     from this day on, as 2026-11-30; days are UTC
  --until DATE     up to and with this day
  --session ID     only of this session, by id or name
  --tool NAME      only of this tool
  --ascii          plain ASCII
  --json           the same as JSON, with more in it

  Cost is told only with a price file (CLAIMCHECK_PRICES). Where no price or no
  count is known it says so; it is never taken for nothing.`,
  options: {
    by: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    session: { type: "string" },
    tool: { type: "string" },
    ascii: { type: "boolean" },
    json: { type: "boolean" },
  },
  takes: [],
  async run(given, world) {
    const found = await usageFor(queryOf(given), given, world);
    world.stdout.write(given.flag("json") ? `${JSON.stringify(found)}\n` : pageOf(found, given, world));
    return exitCodes.ok;
  },
};

const dayMs = 86_400_000;

function queryOf(given: Given): UsageQuery {
  const [since, until] = [dayOf("since", given), dayOf("until", given)];
  const [sessionId, tool] = [given.text("session"), given.text("tool")];
  return {
    by: groupingOf(given.text("by") ?? "day"),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until: until + dayMs }),
    ...(sessionId !== undefined && { sessionId }),
    ...(tool !== undefined && { tool }),
  };
}

function groupingOf(name: string): Grouping {
  const grouping = groupings.find((known) => known === name);
  if (grouping === undefined) throw new UsageError(`--by must be one of ${groupings.join(", ")}.`);
  return grouping;
}

function dayOf(option: "since" | "until", given: Given): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`--${option} must be a day such as 2026-11-30.`);
  return time;
}

async function usageFor(query: UsageQuery, given: Given, world: World): Promise<UsageView | null> {
  const config = loadConfig(given, world, { needsKey: false });
  if (!isThere(config.database)) {
    world.stderr.write(`claimcheck: there is no ${config.database} yet.\n`);
    return null;
  }
  const reader = await openReader(config);
  try {
    return await reader.usage(query);
  } finally {
    await reader.close();
  }
}

function pageOf(found: UsageView | null, given: Given, world: World): string {
  if (found === null || found.groups.length === 0) return "Nothing was used.\n";
  const style = styleFor(world, given.flag("ascii"));
  const withCost = found.total.cost !== undefined;
  const width = style.width - figuresWidth(withCost);
  const lines = [
    style.paint(
      "dim",
      row(found.by, ["requests", "in", "cached", "out", ...(withCost ? ["cost"] : [])], width),
    ),
    ...found.groups.map((sum) => row(sum.key, figuresOf(sum), width)),
    row("all", figuresOf(found.total), width),
  ];
  return `${[...lines, "", ...notes(found.total, style)].join("\n")}\n`;
}

const widths = [9, 12, 12, 11, 14] as const;
const figuresWidth = (withCost: boolean) =>
  widths.slice(0, withCost ? 5 : 4).reduce((sum: number, width) => sum + width, 0);

function row(name: string, figures: readonly string[], width: number): string {
  const cells = figures.map((figure, index) => figure.padStart(widths[index] ?? 0));
  return `${cut(name, width).padEnd(width)}${cells.join("")}`.trimEnd();
}

function figuresOf({ requests, input_tokens, cached_input_tokens, output_tokens, cost }: SumView): string[] {
  return [
    ...[requests, input_tokens, cached_input_tokens, output_tokens].map(readable),
    ...(cost === undefined ? [] : [costOf(cost)]),
  ];
}

/** With some unknown, what is known is the least that it cost. */
function costOf({ amount, unknown_requests }: NonNullable<SumView["cost"]>): string {
  if (amount === "unknown") return "unknown";
  return unknown_requests === undefined ? amount : `>= ${amount}`;
}

function notes(
  { not_paid_twice: saved, uncounted_requests: uncounted = 0, cost }: SumView,
  style: RailStyle,
) {
  const dash = style.ascii ? "-" : "–";
  const unknown = Object.entries(cost?.unknown_requests ?? {});
  return [
    `Not paid twice: ${counted(saved.replays, "replay")}, ${counted(saved.recoveries, "recovery", "recoveries")}.`,
    ...(uncounted === 0 ? [] : [`${counted(uncounted, "request")} without counts that are known here.`]),
    ...(cost === undefined ? [] : [`Cost in ${cost.currency}, by your price file.`]),
    ...unknown.map(
      ([reason, times]) => `Unknown cost ${dash} ${reasons[reason] ?? reason}: ${counted(times, "request")}.`,
    ),
  ];
}

const reasons: Readonly<Record<string, string>> = {
  no_usage: "no counts",
  no_price: "no price for the model",
  no_price_for_tier: "no price for the service tier",
};

const readable = (count: number) => count.toLocaleString("en-US");
const counted = (count: number, one: string, many = `${one}s`) =>
  `${readable(count)} ${count === 1 ? one : many}`;
