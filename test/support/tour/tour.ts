/** A walk through every action of every tool, in every state a request can be in: what hosts get to see. */
import { type Era, type EraClient, openIn } from "../eras.ts";
import type { Said } from "../said.ts";
import type { ToolResult } from "../stdio.ts";
import { world } from "../world.ts";
import { conversations } from "./conversations.ts";
import { live } from "./live.ts";
import { lost } from "./lost.ts";
import { opinions } from "./opinions.ts";
import { settled } from "./settled.ts";

interface Stop {
  /** The call, for messages. */
  call: string;
  tool: string;
  result: ToolResult;
  isError: boolean;
  /** What each channel must say by itself. */
  holds: Said;
}

interface Tour {
  client: EraClient;
  stops: readonly Stop[];
}

export async function tour(era: Era): Promise<Tour> {
  const here = await world();
  const env = { CLAIMCHECK_MAX_LIVE: "2", CLAIMCHECK_MAX_INPUT_BYTES: "4096" };
  const client = await openIn(era, here, { env });
  const stops: Stop[] = [];
  const visit = (isError: boolean) => async (tool: string, args: Record<string, unknown>, holds: Said) => {
    const result = await client.call(tool, args);
    stops.push({ call: `${tool} ${JSON.stringify(args).slice(0, 200)}`, tool, result, isError, holds });
    return result.structured;
  };
  const guide = { fine: visit(false), wrong: visit(true) };
  await settled(here, guide);
  await conversations(guide);
  await opinions(here, guide);
  await live(here, guide);
  await lost(here, guide);
  return { client, stops };
}
