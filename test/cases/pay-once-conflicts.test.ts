/** An id means one question for ever: its answer is never given to another, and no other is asked under it. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { requestCount, requestRow } from "../support/request-row.ts";
import { type StdioServer, toolResult } from "../support/stdio.ts";
import { type Told, tell, told } from "../support/told.ts";
import { expectOnePost } from "../support/verdicts.ts";
import { until, world } from "../support/world.ts";

const question = { message: "What is a cloakroom ticket?" };

describe("C04: an id that was used with other arguments is refused, naming what differs", () => {
  const first = { ...question, instructions: "Be brief.", max_output_tokens: 1_000, timeout_ms: 60_000 };
  const others: [string, object, string[]][] = [
    ["another message", { message: "And a raffle ticket?" }, ["message"]],
    ["a message with one more space", { message: `${question.message} ` }, ["message"]],
    ["another model", { model: "gpt-other" }, ["model"]],
    ["the model it was made with, named this time", { model: "gpt-test" }, ["model"]],
    ["other instructions", { instructions: "Be thorough." }, ["instructions"]],
    ["empty instructions", { instructions: "" }, ["instructions"]],
    ["a field less", { instructions: undefined }, ["instructions"]],
    ["other settings", { max_output_tokens: 1_001, timeout_ms: 60_001 }, ["max_output_tokens", "timeout_ms"]],
    [
      "another effort and verbosity",
      { reasoning_effort: "low", verbosity: "low" },
      ["reasoning_effort", "verbosity"],
    ],
    ["another manner", { background: false }, ["background"]],
    ["a provider named", { provider: "openai" }, ["provider"]],
    ["a session", { session_id: randomUUID() }, ["session_id"]],
  ];

  test("whichever it is", async () => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    const host = await server();
    const answer = await tell(host, "chat", { ...first, request_id: r1 });
    const row = requestRow(dataDir, r1);

    for (const [what, change, fields] of others) {
      const refusal = await tell(host, "chat", { ...first, request_id: r1, ...change });

      expect(refusal, what).toMatchObject({
        isError: true,
        status: "error",
        code: "request_conflict",
        request_id: r1,
      });
      expect(Reflect.get(Object(refusal["details"]), "fields"), what).toEqual(fields);
      for (const field of fields) expect(refusal["message"], what).toContain(field);
    }

    expect(requestRow(dataDir, r1)).toEqual(row);
    expect(await tell(host, "chat", { ...first, request_id: r1 })).toMatchObject({
      replayed: true,
      text: answer["text"],
    });
    expectOnePost(sim, r1);
  });

  const moments: [string, ScenarioName][] = [
    ["is still live", "hold_after_created"],
    ["failed", "wrong_key"],
    ["has an unknown outcome", "reset_before_headers"],
  ];

  test.each(moments)("while the first %s, and from another process too", async (_, scenario) => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    sim.script({ scenario });
    await tell(await server(), "chat", { ...first, request_id: r1, wait_ms: 2_000 });
    const { attempts } = sim.ledger;

    const refusal = await tell(await server(), "chat", {
      ...first,
      request_id: r1,
      message: "Something else",
    });

    expect(refusal).toMatchObject({
      isError: true,
      code: "request_conflict",
      details: { fields: ["message"] },
    });
    expect(sim.ledger.attempts).toBe(attempts);
    expect(requestCount(dataDir)).toBe(1);
  });

  const spellings: [string, (r1: string) => string][] = [
    [
      "keys in another order",
      (r1) => JSON.stringify(Object.fromEntries(Object.entries({ ...first, request_id: r1 }).reverse())),
    ],
    [
      "white space between tokens",
      (r1) =>
        JSON.stringify({ ...first, request_id: r1 })
          .replaceAll(",", " ,\t ")
          .replaceAll('":', '" : '),
    ],
    [
      "numbers spelt otherwise",
      (r1) =>
        JSON.stringify({ ...first, request_id: r1 })
          .replace("1000", "1e3")
          .replace("60000", "6.0E+4"),
    ],
    ["letters escaped", (r1) => JSON.stringify({ ...first, request_id: r1 }).replace("What", "\\u0057hat")],
    ["another wait", (r1) => JSON.stringify({ ...first, request_id: r1, wait_ms: 9_000 })],
  ];

  test.each(spellings)("but not %s: that is the same call", async (_, spell) => {
    const r1 = randomUUID();
    const { sim, server } = await world();
    const host = await server();
    const answer = await tell(host, "chat", { ...first, request_id: r1 });

    const again = await tellRaw(host, "chat", spell(r1));

    expect(again).toMatchObject({ isError: false, replayed: true, response_id: answer["response_id"] });
    expectOnePost(sim, r1);
  });

  test("one file changed is a difference", async (context) => {
    const r1 = randomUUID();
    const { sim, server } = await world();
    const host = await server();
    const { tools } = await host.request("tools/list");
    const offered = z
      .array(z.object({ name: z.string() }))
      .parse(tools)
      .map(({ name }) => name);
    context.skip(!offered.includes("review_code"), "no tool that takes files is offered");
    const file = (content: string) => ({ path: "src/a.ts", content, language: "typescript" });
    const args = {
      question: "Is it right?",
      request_id: r1,
      relevant_files: [file("let a;"), file("let b;")],
    };
    await tell(host, "review_code", args);

    const refusal = await tell(host, "review_code", {
      ...args,
      relevant_files: [file("let a;"), file("let c;")],
    });

    expect(refusal).toMatchObject({
      isError: true,
      code: "request_conflict",
      details: { fields: ["relevant_files"] },
    });
    expectOnePost(sim, r1);
  });
});

/** A call whose arguments are spelt byte for byte as given. */
async function tellRaw(server: StdioServer, tool: string, spelt: string): Promise<Told> {
  const id = 1_000_001;
  server.child.stdin.write(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${spelt}}}\n`,
  );
  const line = await until("it is answered", () => server.lines.find((one) => one.includes(`"id":${id}`)));
  return told(
    toolResult(z.object({ result: z.record(z.string(), z.unknown()) }).parse(JSON.parse(line)).result),
  );
}
