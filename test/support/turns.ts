/** Turns of a session through the real server: asking, beginning one, and what went upstream. */
import { expect } from "vitest";
import { said } from "./said.ts";
import type { StdioServer } from "./stdio.ts";
import type { World } from "./world.ts";

interface Sent {
  previous_response_id?: string | null;
  instructions?: string | null;
  store?: boolean;
  background?: boolean;
}

/** The bodies of the paid calls, in the order in which they came. */
export const sentTo = ({ sim }: World) =>
  sim.ledger.requests.filter(({ method }) => method === "POST").map(({ body }) => body as Sent);

export async function ask(server: StdioServer, message: string, over: Record<string, unknown> = {}) {
  return said(await server.call("chat", { message, ...over }));
}

/** A session with one completed turn. */
export async function begun(server: StdioServer, over: Record<string, unknown> = {}) {
  const first = await ask(server, "The code word is marzipan.", over);
  expect(first["status"]).toBe("completed");
  return { sessionId: String(first["session_id"]), responseId: String(first["response_id"]) };
}
