/** Whichever call a caller waits in: it is told how far things are, and is let go in time. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Era, eras, openIn } from "../support/eras.ts";
import { everyKind } from "../support/every-kind.ts";
import { requestRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { standing } from "../support/standing.ts";
import { until, world } from "../support/world.ts";

/** A request that is under way upstream until it is released, and that nobody waits for. */
async function held(era: Era) {
  const here = await world();
  const client = await openIn(era, here);
  const id = randomUUID();
  here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
  await client.call("chat", { message: "Held.", request_id: id, wait_ms: 0 });
  await until("it is held", () => here.sim.ledger.holding === 1);
  return { ...client, here, id };
}

const answer = { status: "completed", text: "You said: Held." };

describe.each(eras)("in the era of %s", (era) => {
  test("C29: any call ends inside its wait with a receipt, from which the answer is collected", async () => {
    const { here, id, call } = await held(era);

    await everyKind(standing, async (_, callFor) => {
      const [tool, args] = callFor(id);
      const since = performance.now();
      const result = await call(tool, { ...args, wait_ms: 2_000 });
      expect(performance.now() - since).toBeLessThan(2_000);
      expect(result.isError).toBe(false);
      expect(said(result)).toMatchObject({ status: "streaming", request_id: id });
      expect(said(result)).not.toHaveProperty("text");
      const next = stepIn(said(result)["next"]);
      expect(next).toEqual({ tool: "answers", args: { action: "wait", request_id: id } });
    });

    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "streaming", delivered: 0 });
    here.sim.release();
    expect(said(await call("answers", { action: "wait", request_id: id }))).toMatchObject(answer);
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("C30: any call with a token tells the state at once, and is silent after its answer", async () => {
    const { here, id, call, begin, server } = await held(era);
    const heardBy = (token: string) =>
      server.notifications.map(({ params }) => params).filter(({ progressToken }) => progressToken === token);

    const waiting = standing.map(([token, callFor]) => begin(...callFor(id), { progressToken: token }));
    await until("all hear", () => standing.every(([token]) => heardBy(token).length > 0), 3_000);
    here.sim.release();
    for (const { reply } of waiting) expect(said(await reply)).toMatchObject(answer);

    const atTheEnd = server.notifications.length;
    for (const [token] of standing) {
      const heard = heardBy(token);
      expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, index) => index + 1));
      for (const { message } of heard) expect(message).toMatch(/^(claimed|streaming) · .*\d s$/);
    }
    await call("answers", { action: "inbox" });
    expect(server.notifications).toHaveLength(atTheEnd);
  });

  test("C30: any call without a token is told nothing but its answer", async () => {
    const { here, id, begin, call, server } = await held(era);

    const waiting = standing.map(([, callFor]) => begin(...callFor(id)));
    await call("answers", { action: "inbox" });
    here.sim.release();

    for (const { reply } of waiting) expect(said(await reply)).toMatchObject(answer);
    expect(server.notifications).toEqual([]);
  });
});
