/** Calls that will not end before they are let go, and what is left of them. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { until, type World } from "../support/world.ts";
import { type CallOptions, type ClientKind, connect } from "./clients.ts";

/** A call that is under way upstream and will not end before `release()`. */
export async function held(here: World, kind: ClientKind, options: CallOptions = {}) {
  const client = await connect(kind, here);
  await client.toolNames();
  const id = randomUUID();
  here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
  const asked = performance.now();
  const call = client.call("chat", { message: "Held.", request_id: id }, options);
  call.catch(() => undefined);
  await until("it is being answered", () => here.sim.ledger.holding === 1);
  await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
  return { client, id, call, asked };
}

/** Whoever comes next finds the request in its inbox, and calls what that says. */
export async function expectCollected(here: World, kind: ClientKind, id: string): Promise<void> {
  const next = await connect(kind, here);
  await next.toolNames();
  const inbox = said(await next.call("answers", { action: "inbox" }));
  const step = stepIn([inbox["attention"], inbox["unread"], inbox["running"]].flat().map(nextOf).join(" "));
  expect(step.args).toMatchObject({ request_id: id });
  const answer = await next.call(step.tool, step.args);
  expect(answer.isError).toBe(false);
  expect(said(answer)).toMatchObject({ status: "completed", request_id: id, text: "You said: Held." });
  const again = said(await next.call("chat", { message: "Held.", request_id: id }));
  expect(again).toMatchObject({ status: "completed", text: "You said: Held.", replayed: true });
  expect(requestRow(here.dataDir, id)).toMatchObject({ state: "completed", delivered: 1 });
  expect(here.sim.ledger.posts).toBe(1);
}

const nextOf = (line: unknown) =>
  typeof line === "object" && line !== null && "next" in line ? String(line.next) : "";
