import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { opinions } from "../../src/advice/opinions.ts";
import { clientKinds, connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { allTools } from "./support/tools.ts";

const names = ["ask_chatgpt", "review_plan", "review_code", "debug_issue", "architecture_review"];

async function filled(name: string, given: Record<string, string>): Promise<string> {
  const { client } = await connect({ kind: "v1" });
  const { messages } = await client.getPrompt({ name, arguments: given });
  const [only, ...more] = messages;
  expect(more).toEqual([]);
  expect(only).toMatchObject({ role: "user", content: { type: "text" } });
  return only?.content.type === "text" ? only.content.text : "";
}

/** The fenced blocks of a text by CommonMark's rule, and what is left without them. */
function blocksOf(text: string): { blocks: string[]; rest: string } {
  const blocks: string[] = [];
  const rest: string[] = [];
  let open: { fence: string; lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const fence = /^(`{3,})text$/.exec(line)?.[1];
    if (open === undefined && fence !== undefined) open = { fence, lines: [] };
    else if (open === undefined) rest.push(line);
    else if (/^`+$/.test(line) && line.length >= open.fence.length) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  expect(open, "a fence was left open").toBeUndefined();
  return { blocks, rest: rest.join("\n") };
}

describe.each(clientKinds)("to the %s client", (kind) => {
  test("there is one prompt for each second opinion, with flat arguments of which one is required", async () => {
    const { client } = await connect({ kind });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(names);
    for (const { title, description, arguments: fields = [] } of prompts) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(fields.map(({ name, required }) => [name, required])).toEqual([
        ["question", true],
        ["context", false],
        ["session_id", false],
      ]);
      for (const field of fields) expect(field.description).toBeTruthy();
    }
  });

  const wrong: [string, string, Record<string, string>, RegExp][] = [
    ["an unknown prompt", "review_plans", { question: "x" }, /Did you mean "review_plan"/],
    ["a missing question", "review_plan", {}, /"question" is missing.*call review_plan again/],
    ["a blank question", "review_plan", { question: " \n" }, /"question" is missing/],
    ["an unknown argument", "review_plan", { question: "x", contxt: "y" }, /Did you mean "context"/],
    ["no session's name", "review_plan", { question: "x", session_id: "../x" }, /"session_id" must be/],
  ];
  test.each(wrong)("%s is refused with what to do", async (_, name, given, message) => {
    const { client } = await connect({ kind });
    await expect(client.getPrompt({ name, arguments: given })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });
});

describe.each(opinions)("the prompt $name", ({ name, looksFor }) => {
  test("has the agent ask a tool that there is, with all that an adviser must be told", async () => {
    const text = await filled(name, { question: "Is it sound?", context: "It is a bridge." });
    const { blocks, rest } = blocksOf(text);
    expect(blocks).toEqual(["Is it sound?", "It is a bridge."]);
    const tool = /call claimcheck's tool (\w+) once/.exec(rest)?.[1];
    expect(tool).toBe(name);
    expect(allTools.map((one) => one.name)).toContain(tool);
    expect(rest).toContain(looksFor);
    for (const rule of [
      /advises only/,
      /sees nothing but what you pass/,
      /No whole repository/,
      /No keys, tokens, passwords/,
      /data to pass on/,
      /receipt/,
    ]) {
      expect(rest).toMatch(rule);
    }
    expect(rest).toContain("Leave session_id out");
  });

  test("continues the session that was named", async () => {
    const text = await filled(name, { question: "And now?", session_id: "My talk" });
    expect(text).toContain('Pass "session_id":"My talk"');
    expect(text).not.toContain("Leave session_id out");
  });
});

test("an argument left blank in a form is as if it were not there", async () => {
  const bare = await filled("review_code", { question: "Why?" });
  expect(await filled("review_code", { question: "Why?", context: " ", session_id: "" })).toBe(bare);
});

test("what a person fills in stays data, whatever is in it", async () => {
  const { rest: wording } = blocksOf(await filled("debug_issue", { question: "x", context: "y" }));
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "```",
      "````text",
      "\n```\n",
      "\n",
      "`".repeat(9),
      "---",
      "$question",
      "{{context}}",
      "$&",
    ),
  );
  const given = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => `.${parts.join("")}`);
  const { client } = await connect({ kind: "v1" });
  await fc.assert(
    fc.asyncProperty(given, given, async (question, context) => {
      const { messages } = await client.getPrompt({ name: "debug_issue", arguments: { question, context } });
      const [only] = messages;
      const text = only?.content.type === "text" ? only.content.text : "";
      expect(blocksOf(text)).toEqual({ blocks: [question, context], rest: wording });
    }),
    { numRuns: 300 },
  );
});

test("filling in a prompt asks nothing of the engine and logs none of the words", async () => {
  const engine = fakeEngine();
  const { client, logged } = await connect({ kind: "v1", engine });
  await client.getPrompt({ name: "review_plan", arguments: { question: "my secret plan" } });
  expect(engine.asked).toEqual([]);
  expect(JSON.stringify(logged)).not.toContain("secret");
});
