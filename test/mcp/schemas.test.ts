import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import { connect } from "./support/connect.ts";
import { allTools } from "./support/tools.ts";

type Schema = Record<string, unknown>;

const listed = allTools.map((tool) => tool.listed());
const instructions = instructionsFor(listed.map(({ name }) => name));
const inputs = listed.map((tool): [string, Schema] => [tool.name, tool.inputSchema]);
const outputs = listed.map((tool): [string, Schema] => [tool.name, tool.outputSchema ?? {}]);

/** As what people call a server in their host's configuration; ours is printed as "claimcheck". */
const longestServerKey = "k".repeat(20);

/** What Claude Code, Codex, VS Code, Cursor and Gemini are all known to take. */
const portable = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "description",
  "enum",
  "items",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "maxItems",
]);

/** How far inside a schema something stands: its fields at 1, what they list at 2. */
const levelsOf = (at: string) => (at.match(/\.|\[\]/g) ?? []).length;

const fieldsOf = (schema: Schema) => Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);

/** Every schema inside a schema, itself included, with where it stands. */
function* within(schema: Schema, at = "$"): Generator<[string, Schema]> {
  yield [at, schema];
  for (const [name, field] of fieldsOf(schema)) {
    yield* within(field, `${at}.${name}`);
  }
  if (schema["items"] !== undefined) yield* within(schema["items"] as Schema, `${at}[]`);
}

describe("every host can take the tools as they are listed", () => {
  test.each([...inputs, ...outputs])(
    "the schemas of %s use nothing hosts choke on, at any depth",
    (_, schema) => {
      expect(schema["type"]).toBe("object");
      for (const [at, node] of within(schema)) {
        const foreign = Object.keys(node).filter((keyword) => !portable.has(keyword));
        expect(foreign, at).toEqual([]);
        expect(["object", "string", "integer", "number", "boolean", "array"], at).toContain(node["type"]);
        if (node["type"] === "array") expect(node["items"], at).toMatchObject({ type: expect.any(String) });
      }
    },
  );

  test.each([...inputs, ...outputs])(
    "the schemas of %s nest no deeper than a list of plain values, or of open objects of such",
    (_, schema) => {
      for (const [at, node] of within(schema)) {
        const nests = node["type"] === "object" || node["type"] === "array";
        const isOpenItem =
          node["type"] === "object" && at.endsWith("[]") && node["additionalProperties"] === undefined;
        expect(!nests || isOpenItem || levelsOf(at) < 2, at).toBe(true);
        if (node["enum"] !== undefined) {
          expect(
            (node["enum"] as unknown[]).every((value) => typeof value === "string"),
            at,
          ).toBe(true);
        }
      }
    },
  );

  test.each(inputs)("%s refuses fields it does not know", (_, schema) => {
    expect(schema["additionalProperties"]).toBe(false);
  });

  test.each(outputs)("the result of %s may hold more than it promises", (_, schema) => {
    expect(schema).not.toHaveProperty("additionalProperties");
    expect(schema["required"]).toEqual(["status"]);
  });

  test.each(inputs)(
    "every field of %s says what it is, and whether it is needed or what happens without it",
    (_, schema) => {
      for (const [name, field] of fieldsOf(schema)) {
        expect(String(field["description"]).length, name).toBeGreaterThan(15);
        const required = (schema["required"] as string[]).includes(name);
        expect(required || /[Dd]efault|required (for|but)/.test(String(field["description"])), name).toBe(
          true,
        );
      }
    },
  );

  test.each(inputs)("every number of %s says its unit, its range and its default", (_, schema) => {
    for (const [name, field] of fieldsOf(schema)) {
      if (field["type"] !== "integer") continue;
      expect(field["description"], name).toMatch(/tokens|ms|rows|UTF-16 unit/);
      expect(field["description"], name).toMatch(new RegExp(`\\b${String(field["minimum"])}\\b`));
      expect(field["description"], name).toMatch(/Default/);
    }
  });

  test.each(listed.map((tool) => [tool.name, tool] as const))("%s sets all four hints", (_, tool) => {
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
  });

  test("only what asks upstream is open to the world, and only reading is read-only", () => {
    const hints = Object.fromEntries(listed.map(({ name, annotations }) => [name, annotations]));
    expect(hints["chat"]).toMatchObject({ readOnlyHint: false, destructiveHint: false, openWorldHint: true });
    expect(hints["answers"]).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
    expect(hints["sessions"]).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints["request_status"]).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test("tools that return answers may fill the window of Claude Code", () => {
    const allowed = listed.filter((tool) => tool._meta?.["anthropic/maxResultSizeChars"] === 100_000);
    const others = listed.map(({ name }) => name).filter((name) => !/^(sessions|request_status)$/.test(name));
    expect(allowed.map((tool) => tool.name)).toEqual(others);
  });

  test("names are short enough to be combined with a server's name", () => {
    for (const { name } of listed) {
      expect(name).toMatch(/^[a-z_]{1,20}$/);
      // Codex cuts mcp__KEY__TOOL at 64; Cursor hides a tool whose two names are longer than 60 together.
      expect(`mcp__${longestServerKey}__${name}`.length).toBeLessThanOrEqual(64);
      expect(`${longestServerKey}${name}`.length).toBeLessThanOrEqual(60);
    }
  });
});

describe("the tools cost little of a model's context", () => {
  test("all tools together take less than 6,000 tokens, and those of the toolset core less than 2,800", () => {
    const core = listed.filter(({ name }) => /^(chat|answers|sessions|request_status)$/.test(name));
    expect(core).toHaveLength(4);
    expect(countTokens(JSON.stringify({ tools: core }))).toBeLessThan(2_800);
    expect(countTokens(JSON.stringify({ tools: listed }))).toBeLessThan(6_000);
  });

  test.each(listed.map((tool) => [tool.name, tool.description ?? ""] as const))(
    "the description of %s says when to use it and when another one, in less than 1,500 characters",
    (name, description) => {
      expect(description.length).toBeLessThan(1_500);
      const siblings = listed.map((tool) => tool.name).filter((other) => other !== name);
      expect(siblings.some((sibling) => new RegExp(`\\b${sibling}\\b`).test(description))).toBe(true);
    },
  );

  test("the server introduces itself in less than 1,800 characters", () => {
    expect(instructions.length).toBeLessThan(1_800);
  });

  test("the introduction names tools that there are", () => {
    const named = [...instructions.matchAll(/\b(chat|answers|sessions|request_status) \{/g)].map(
      ([, tool]) => tool,
    );
    expect(listed.map((tool) => tool.name)).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});

test("a host may keep the list of tools for five minutes", async () => {
  const { client, sent } = await connect({ kind: "modern" });
  await client.listTools();
  const reply = sent.find((message) => "result" in message && "tools" in message.result);
  expect(reply).toMatchObject({ result: { ttlMs: 300_000, cacheScope: "public", resultType: "complete" } });
});

test("the list is the same every time", async () => {
  const first = await connect({ kind: "v1" });
  const second = await connect({ kind: "v1", clientName: "another" });
  expect(await first.client.listTools()).toEqual(await second.client.listTools());
});
