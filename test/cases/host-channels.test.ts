/** What hosts show a model: one channel of a result or the other, and tools as they were listed. */
import { randomUUID } from "node:crypto";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { census } from "../support/database.ts";
import { eras, openIn } from "../support/eras.ts";
import { refusal, textOf } from "../support/said.ts";
import { tour } from "../support/tour/tour.ts";
import { world } from "../support/world.ts";

describe.each(eras)("in the era of %s", (era) => {
  test("C33: every result of every tool says all of it in its structure alone, and in its text alone", async () => {
    const { stops } = await tour(era);

    for (const { call, result, isError, holds } of stops) {
      expect.soft(result.structured, call).toMatchObject(holds);
      expect.soft(textOf(result), call).toMatchObject(holds);
      expect.soft({ call, isError: result.isError }).toEqual({ call, isError });
      expect.soft(textOf(result), call).toEqual(result.structured);
    }
    expect(stops.length).toBeGreaterThan(70);
  }, 30_000);

  test("C34: every tool is listed as all hosts can take it, and every result is what was promised", async () => {
    const { client, stops } = await tour(era);
    const { tools } = (await client.request("tools/list")) as { tools: Listed[] };

    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z_]{1,20}$/);
      expect(tool.description.length).toBeLessThan(1_500);
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(schema, tool.name).toMatchObject({ type: "object", properties: expect.any(Object) });
        for (const [at, node] of nodesOf(schema)) {
          expect(typeof node["type"], `${tool.name} ${at}`).toBe("string");
          expect(
            Object.keys(node).filter((word) => unions.has(word)),
            `${tool.name} ${at}`,
          ).toEqual([]);
          if (node["type"] === "array")
            expect(node["items"], `${tool.name} ${at}`).toMatchObject({ type: expect.any(String) });
        }
      }
    }
    // 6,000 and 2,800 tokens at no less than 3.9 characters a token.
    expect(JSON.stringify(tools).length).toBeLessThan(6_000 * 3.9);
    const core = tools.filter(({ name }) => ["chat", "answers", "sessions", "request_status"].includes(name));
    expect(core).toHaveLength(4);
    expect(JSON.stringify(core).length).toBeLessThan(2_800 * 3.9);

    const validators = new Map(
      tools.map(({ name, outputSchema }) => [name, new AjvJsonSchemaValidator().getValidator(outputSchema)]),
    );
    for (const { call, tool, result } of stops) {
      const validate = validators.get(tool) ?? expect.fail(`${tool} is not listed`);
      expect(validate(result.structured), call).toMatchObject({ valid: true });
    }
    expect(new Set(stops.map(({ tool }) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
  }, 30_000);

  /** Slips of every kind, each with the name that must come back. */
  const slips: [string, Record<string, unknown>, string][] = [
    ["chat", { message: "Hi.", modle: "gpt-test" }, "modle"],
    ["chat", { message: "Hi.", sessionId: randomUUID() }, "sessionId"],
    ["chat", { message: "Hi.", max_tokens: 100 }, "max_tokens"],
    ["chat", { message: "Hi.", temperature: 0 }, "temperature"],
    ["chat", { message: "Hi.", "": 1 }, '""'],
    ["chat", { message: "Hi.", constructor: 1 }, "constructor"],
    ["chat", { message: "Hi.", [`z${"y".repeat(200)}`]: 1 }, "zyyy"],
    ["answers", { action: "inbox", sesion_id: randomUUID() }, "sesion_id"],
    ["answers", { action: "wait", request_id: randomUUID(), waitMs: 1 }, "waitMs"],
    ["sessions", { operation: "list", limits: 3 }, "limits"],
    ["request_status", { request_id: randomUUID(), actoin: "abandon" }, "actoin"],
  ];

  test("C35: a field nobody knows is named, and nothing is sent", async () => {
    const here = await world();
    const { call } = await openIn(era, here);
    await call("sessions", { operation: "list" });
    const before = census(here.dataDir);

    for (const [tool, args, field] of slips) {
      const told = refusal(await call(tool, args), "invalid_arguments");
      expect(told["message"], field).toContain(field);
    }

    expect(here.sim.ledger.posts).toBe(0);
    expect(census(here.dataDir)).toEqual(before);
    const meant = refusal(await call("chat", { message: "Hi.", modle: "gpt-test" }), "invalid_arguments");
    expect(meant["message"]).toContain('"model"');
  });
});

interface Listed {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

const unions = new Set([
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "$ref",
  "prefixItems",
  "patternProperties",
  "propertyNames",
]);

/** Every schema in a schema, with where it stands. */
function* nodesOf(schema: Record<string, unknown>, at = "$"): Generator<[string, Record<string, unknown>]> {
  yield [at, schema];
  const fields = (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>;
  for (const [name, field] of Object.entries(fields)) yield* nodesOf(field, `${at}.${name}`);
  if (schema["items"] !== undefined) yield* nodesOf(schema["items"] as Record<string, unknown>, `${at}[]`);
}
