import { connect } from "node:net";
import { describe } from "vitest";
import { asking, eventually, expect, failureOf, read, test } from "./support.ts";

describe("the ledger", () => {
  test("holds what was sent, but never the key", async ({ simulator, client }) => {
    await read(
      client.responses.create(asking({ message: "Hi" }), { headers: { "X-Client-Request-Id": "r1" } }),
    );

    const [request] = simulator.ledger.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: "/v1/responses",
      authorized: true,
      headers: { "x-client-request-id": "r1", "x-stainless-retry-count": "0" },
      body: { model: "gpt-sim", input: "Hi", stream: true },
      status: 200,
      eventsSent: 11,
      ended: "answered",
    });
    expect(JSON.stringify(simulator.ledger)).not.toContain("sk-test");
  });

  test("counts the POSTs of a request id, by metadata or by header", async ({ simulator, client }) => {
    const metadata = { request_id: "r1" };
    await read(client.responses.create({ ...asking(), metadata }));
    await read(
      client.responses.create({ ...asking(), metadata }, { headers: { "X-Client-Request-Id": "r1" } }),
    );
    await read(client.responses.create(asking(), { headers: { "X-Client-Request-Id": "r2" } }));
    simulator.script({ scenario: "rate_limited" });
    await failureOf(client.responses.create({ ...asking(), metadata }));

    expect(simulator.ledger).toMatchObject({ attempts: 4, posts: 3, postsByRequest: { r1: 2, r2: 1 } });
    expect(simulator.ledger.postsFor("r1")).toBe(2);
    expect(simulator.ledger.postsFor("unheard of")).toBe(0);
    expect(simulator.ledger.responses.map(({ requestId }) => requestId)).toEqual(["r1", "r1", "r2"]);
  });

  test("counts what the SDK does with its retries", async ({ simulator, client }) => {
    simulator.script({ scenario: "reset_before_headers" });

    await failureOf(client.responses.create(asking(), { maxRetries: 2 }));

    expect(simulator.ledger).toMatchObject({ attempts: 3, posts: 3 });
    expect(simulator.ledger.requests.map(({ headers }) => headers["x-stainless-retry-count"])).toEqual([
      "0",
      "1",
      "2",
    ]);
  });

  test("tells polls from resumes, and knows the query", async ({ simulator, client }) => {
    const { id } = await read(client.responses.create(asking({ background: true })));
    await client.responses.retrieve(id);
    await read(client.responses.retrieve(id, { stream: true, starting_after: 4 }));

    expect(simulator.ledger).toMatchObject({ gets: 2, resumes: 1, responses: [{ id, polls: 1 }] });
    expect(simulator.ledger.requests[2]).toMatchObject({
      method: "GET",
      path: `/v1/responses/${id}`,
      query: { stream: "true", starting_after: "4" },
    });
  });

  test("counts no POST whose body never came whole", async ({ simulator }) => {
    const socket = connect(Number(new URL(simulator.url).port), "127.0.0.1");
    socket.write(
      "POST /v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-length: 100\r\n\r\n{",
    );
    await eventually(() => expect(simulator.ledger.attempts).toBe(1));

    socket.destroy();

    await eventually(() => expect(simulator.ledger.requests).toMatchObject([{ ended: "left" }]));
    expect(simulator.ledger).toMatchObject({ posts: 0, responses: [] });
  });

  test("forgets the oldest responses, and no count", async ({ simulator }) => {
    const headers = { authorization: "Bearer sk-test" };
    const body = JSON.stringify({ model: "gpt-sim", input: "Hi" });
    const ask = async () => {
      await (await fetch(`${simulator.url}/responses`, { method: "POST", headers, body })).text();
    };
    await ask();
    const [oldest] = simulator.ledger.responses;
    for (let turn = 0; turn < 1_000; turn += 1) await ask();

    expect(simulator.ledger.posts).toBe(1_001);
    expect(simulator.ledger.responses).toHaveLength(1_000);
    expect((await fetch(`${simulator.url}/responses/${oldest?.id}`, { headers })).status).toBe(404);
  });

  test("forgets the oldest requests when their bodies take too much room", async ({ simulator }) => {
    const headers = { authorization: "Bearer sk-test" };
    const body = JSON.stringify({ model: "gpt-sim", input: "x".repeat(30 * 1024 * 1024), nonsense: true });
    for (let turn = 0; turn < 3; turn += 1)
      await fetch(`${simulator.url}/responses`, { method: "POST", headers, body });

    expect(simulator.ledger.attempts).toBe(3);
    expect(simulator.ledger.requests).toHaveLength(2);
  });
});
