/** Resources as hosts read them, in both eras, from real servers: looking is free, and shows no answer. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { catalogue } from "../../src/simulator/simulator.ts";
import { type EraClient, eras, openIn } from "../support/eras.ts";
import { requestRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { until, world } from "../support/world.ts";

const reading = z.object({ contents: z.tuple([z.object({ uri: z.string(), text: z.string() })]) });
const listing = z.object({ resources: z.array(z.object({ uri: z.string(), title: z.string() })) });
const completing = z.object({ completion: z.object({ values: z.array(z.string()) }) });

async function read(client: EraClient, uri: string) {
  const [only] = reading.parse(await client.request("resources/read", { uri })).contents;
  return JSON.parse(only.text);
}

describe.each(eras)("in %s", (era) => {
  test("a finished request is shown without its answer, and its next step leads to it", async () => {
    const here = await world();
    const client = await openIn(era, here);
    const id = randomUUID();
    here.sim.script({ scenario: catalogue.hold_before_terminal });
    await client.call("chat", { message: "Tell me of coats.", request_id: id, wait_ms: 0 });
    await until("the answer waits for its end", () => here.sim.ledger.holding > 0);
    here.sim.release();
    await until("it is finished", () => requestRow(here.dataDir, id)?.state === "completed");
    const { attempts, gets } = here.sim.ledger;

    const { request, journal } = await read(client, `claimcheck://requests/${id}`);

    const { outcome = null } = requestRow(here.dataDir, id) ?? {};
    const { text } = z.object({ text: z.string() }).parse(JSON.parse(String(outcome)));
    expect(text.length).toBeGreaterThan(10);
    expect(JSON.stringify([request, journal])).not.toContain(text.slice(0, 10));
    expect(request).toMatchObject({ status: "completed", request_id: id });
    expect(journal.at(-1)).toMatchObject({ event: "upstream.completed", state: "completed" });
    expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 0 });
    expect(here.sim.ledger).toMatchObject({ attempts, gets });

    const { tool, args } = stepIn(request.next);
    expect(said(await client.call(tool, args))).toMatchObject({ status: "completed", text });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("what another process asked is listed, completed and read by its session's name", async () => {
    const here = await world();
    const other = await here.server();
    const id = randomUUID();
    const first = said(await other.call("chat", { message: "Hello.", request_id: id }));
    const session = String(first["session_id"]);
    await other.call("sessions", { operation: "configure", session_id: session, name: "Coats and hats" });

    const client = await openIn(era, here);
    const { resources } = listing.parse(await client.request("resources/list"));
    expect(resources.slice(3).map(({ uri, title }) => [uri, title.replace(/\d{4}-.*/, "…")])).toEqual([
      [`claimcheck://sessions/${session}`, "Session Coats and hats"],
      [`claimcheck://requests/${id}`, "● completed · gpt-test · …"],
    ]);
    const complete = async (uri: string, value: string) =>
      completing.parse(
        await client.request("completion/complete", {
          ref: { type: "ref/resource", uri },
          argument: { name: "id", value },
        }),
      ).completion.values;
    expect(await complete("claimcheck://requests/{id}", id.slice(0, 6))).toEqual([id]);
    expect(await complete("claimcheck://sessions/{id}", "coats")).toEqual(["Coats and hats"]);

    const { session: shown, requests } = await read(client, "claimcheck://sessions/Coats%20and%20hats");
    expect(shown).toMatchObject({ session_id: session, counts: { completed: 1 } });
    expect(requests).toMatchObject([{ uri: `claimcheck://requests/${id}`, status: "completed" }]);
  });

  test("more subscriptions than can be looked after are refused, and the rest goes on", async () => {
    const here = await world();
    const client = await openIn(era, here);
    const uris = Array.from({ length: 101 }, () => `claimcheck://requests/${randomUUID()}`);
    const refused = { code: -32602, message: expect.stringMatching(/At most 100 resources/) };
    if (era === "2026-07-28") {
      const listen = client.request("subscriptions/listen", {
        notifications: { resourceSubscriptions: uris },
      });
      await expect(listen).rejects.toThrow(/-32602.*At most 100 resources/);
    } else {
      const replies = uris.map((uri) => client.server.begin("resources/subscribe", { uri }).reply);
      const errors = (await Promise.all(replies)).flatMap(({ error }) => (error ? [error] : []));
      expect(errors).toMatchObject([refused]);
    }
    expect(said(await client.call("answers", { action: "inbox" }))).toMatchObject({ status: "ok" });
  });

  test("a server that is being listened to still ends at once with its host", async () => {
    const here = await world();
    const client = await openIn(era, here);
    const uri = `claimcheck://requests/${randomUUID()}`;
    if (era === "2026-07-28") {
      const listen = client.request("subscriptions/listen", {
        notifications: { resourceSubscriptions: [uri] },
      });
      await until("it is acknowledged", () => client.server.notifications.length > 0);
      const [{ code, ms }, result] = await Promise.all([client.server.close(), listen]);
      expect({ code, result }).toMatchObject({ code: 0, result: { resultType: "complete" } });
      expect(ms).toBeLessThan(2_000);
    } else {
      await client.request("resources/subscribe", { uri });
      const { code, ms } = await client.server.close();
      expect(code).toBe(0);
      expect(ms).toBeLessThan(2_000);
    }
    expect(client.server.stderr()).toBe("");
  });
});

test("what is listened for and is no resource of ours is not acknowledged", async () => {
  const client = await openIn("2026-07-28", await world());
  const mine = `claimcheck://requests/${randomUUID()}`;
  const machine = "claimcheck://machines/request";
  const resourceSubscriptions = ["file:///etc/passwd", mine, "claimcheck://requests/../x", machine];
  const notifications = { resourceSubscriptions, toolsListChanged: true };
  const listen = client.request("subscriptions/listen", { notifications });
  const ack = await until("it is acknowledged", () => client.server.notifications[0]);
  expect(ack.params["notifications"]).toEqual({ resourceSubscriptions: [mine, machine] });
  await Promise.all([client.server.close(), listen]);
});
