import { expect, describe as group } from "vitest";
import { until } from "../support/world.ts";
import { asking, clientOf, test } from "./support.ts";

group("an upstream directed by hand", () => {
  test("answers a call only when it is let, with what was scripted after it came", async ({ start }) => {
    const upstream = await start({ byHand: true });
    const refused = clientOf(upstream).responses.create(asking());
    const refusal = expect(refused).rejects.toMatchObject({ status: 400 });
    await until("the call waits", () => upstream.ledger.held.includes("create"));
    expect(upstream.ledger).toMatchObject({ attempts: 1, posts: 0 });

    upstream.script({ times: 1, scenario: { reply: 400 } });
    upstream.release("create");

    await refusal;
    expect(upstream.ledger).toMatchObject({ attempts: 1, posts: 0, held: [] });
  });

  test("lets go only what waits at the place named", async ({ start }) => {
    const upstream = await start({ byHand: true });
    const stream = clientOf(upstream).responses.create(asking());
    await until("the call waits", () => upstream.ledger.held.includes("create"));

    upstream.release("retrieve");
    expect(upstream.ledger.held).toEqual(["create"]);

    upstream.release("create");
    const seen = [];
    for await (const event of await stream) seen.push(event.type);
    expect(seen.at(-1)).toBe("response.completed");
  });

  test("can be told how a response goes on while it is held after its creation", async ({
    simulator,
    client,
  }) => {
    simulator.script({ scenario: { hold: ["created"] } });
    const stream = await client.responses.create(asking(), { headers: { "x-client-request-id": "mine" } });
    await until("it was created", () => simulator.ledger.held.includes("created"));

    simulator.amend("mine", { ending: { status: "failed", code: "server_error" } });
    simulator.release("created");

    const seen = [];
    for await (const event of stream) seen.push(event.type);
    expect(seen.at(-1)).toBe("response.failed");
  });

  test("can break the stream of one response and let it go on behind", async ({ simulator, client }) => {
    simulator.script({ scenario: { hold: ["queued"] } });
    const ask = asking({ background: true });
    const stream = await client.responses.create(ask, { headers: { "x-client-request-id": "mine" } });
    await until("it is queued", () => simulator.ledger.held.includes("queued"));

    simulator.sever("mine", "reset");
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toThrow();

    simulator.release("queued");
    const [made] = simulator.ledger.responses;
    await until("it is finished", () => simulator.ledger.responses[0]?.status === "completed");
    expect(await client.responses.retrieve(made?.id ?? "")).toMatchObject({ status: "completed" });
  });

  test("says so where there is nothing to direct", async ({ simulator }) => {
    expect(() => simulator.sever("nobody", "fin")).toThrow(/knows no response of the request nobody/);
  });
});
