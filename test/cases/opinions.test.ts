/** Second opinions through the real server: asked once, safely, answered in sections, replayed as anything else. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { opinions } from "../../src/advice/opinions.ts";
import { everyRow } from "../support/database.ts";
import { refusal } from "../support/said.ts";
import { tell } from "../support/told.ts";
import { sentTo } from "../support/turns.ts";
import { expectOnePost } from "../support/verdicts.ts";
import { temporaryDirectory, until, world } from "../support/world.ts";

const secret = `ghp${"_"}${"aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA"}1234`;

const answerOf = (name: string) => {
  const sections = opinions.find((opinion) => opinion.name === name)?.sections ?? [];
  const said = { text: "Yes.", list: ["One.", "Two."], confidence: "High" };
  return Object.fromEntries(sections.map(({ key, kind }) => [key, said[kind]]));
};

interface Body {
  model?: string;
  input?: unknown;
  instructions?: string;
  text?: { format?: { type: string; name: string; strict: boolean; schema: object } };
  previous_response_id?: string;
}

describe.each(opinions)("$name", ({ name, looksFor, sections }) => {
  test("asks in our words, for sections, which come back as fields with the text as it was", async () => {
    const here = await world();
    const text = JSON.stringify(answerOf(name));
    here.sim.script({ scenario: { output: { text } } });
    const server = await here.server();

    const answer = await tell(server, name, { question: "Is it sound?", context: `key ${secret}` });

    expect(answer).toMatchObject({
      isError: false,
      status: "completed",
      tool: name,
      sections: answerOf(name),
      text,
      redacted: { token: 1 },
      trimmed: [],
      sent_chars: expect.any(Number),
      estimated_tokens: expect.any(Number),
    });
    const [sent] = sentTo(here) as Body[];
    expect(sent?.instructions).toContain(looksFor);
    expect(sent?.input).toContain("Is it sound?");
    expect(sent?.text?.format).toMatchObject({ type: "json_schema", strict: true, name });
    expect(Object.keys(Object(Reflect.get(Object(sent?.text?.format?.schema), "properties")))).toEqual(
      sections.map(({ key }) => key),
    );
    expect(JSON.stringify(here.sim.ledger.requests)).not.toContain(secret);
    expectOnePost(here.sim, String(answer["request_id"]));
  });
});

describe("a second opinion", () => {
  test("keeps neither its words nor its secrets, and shows its sections to whoever collects it later", async () => {
    const here = await world();
    here.sim.script({ scenario: { output: { text: "## Summary\nIt holds.\n## Confidence\nlow" } } });
    const asking = await here.server();
    const asked = await tell(asking, "review_plan", { question: `Why ${secret}?`, logs: "unusual-word" });
    await asking.kill();

    const collecting = await here.server();
    const collected = await tell(collecting, "answers", { action: "read", request_id: asked["request_id"] });

    expect(collected).toMatchObject({
      text: "## Summary\nIt holds.\n## Confidence\nlow",
      sections: { summary: "It holds.", confidence: "Low" },
    });
    const stored = JSON.stringify(everyRow(here.dataDir));
    expect(stored).not.toContain("unusual-word");
    expect(stored).not.toContain(secret);
    expect(collecting.stderr() + asking.stderr()).not.toContain(secret);
  });

  test("is answered as it came where it came in no form", async () => {
    const here = await world();
    here.sim.script({ scenario: { output: { text: "I would not." } } });
    const answer = await tell(await here.server(), "ask_chatgpt", { question: "Should I?" });
    expect(answer).toMatchObject({ status: "completed", text: "I would not." });
    expect(answer).not.toHaveProperty("sections");
  });

  test("that ran out of tokens shows the sections that were whole, and the text as far as it came", async () => {
    const here = await world();
    const text = JSON.stringify(answerOf("review_plan"));
    here.sim.script({
      scenario: { output: { text, deltaChars: 34 }, ending: { status: "incomplete", afterDeltas: 2 } },
    });
    const answer = await tell(await here.server(), "review_plan", { question: "The plan?" });
    expect(answer).toMatchObject({ status: "incomplete", isError: true, text: text.slice(0, 68) });
    expect(answer["sections"]).toEqual({ summary: "Yes.", recommendation: "Yes.", key_concerns: ["One."] });
  });

  test("is delivered whatever its answer is made of", async () => {
    const here = await world();
    const text = `{"summary":${"[".repeat(5_900)}${"]".repeat(5_900)}}`;
    here.sim.script({ scenario: { output: { text } } });
    const server = await here.server();
    const answer = await tell(server, "ask_chatgpt", { question: "Should I?" });
    expect(answer).toMatchObject({ status: "completed", isError: false, text });
    const read = await tell(server, "answers", { action: "read", request_id: answer["request_id"] });
    expect(read).toMatchObject({ status: "completed", text });
  });

  test("is continued in its session, with its own instructions each time and none left for chat", async () => {
    const here = await world();
    const server = await here.server();
    const first = await tell(server, "review_plan", { question: "The plan?" });
    await tell(server, "debug_issue", { question: "And this fault?", session_id: first["session_id"] });
    await tell(server, "chat", { message: "Thanks.", session_id: first["session_id"] });

    const [plan, fault, chat] = sentTo(here) as Body[];
    expect(plan?.instructions).toContain("missing steps");
    expect(fault?.instructions).toContain("likely causes");
    expect(fault?.previous_response_id).toBe(first["response_id"]);
    expect(chat).not.toHaveProperty("instructions");
    expect(chat).not.toHaveProperty("text");
  });

  test("C04: is replayed by its own arguments, and one file changed is another question", async () => {
    const here = await world();
    const server = await here.server();
    const request_id = randomUUID();
    const files = (content: string) => [
      { path: "a.ts", content },
      { path: "b.ts", content: "same" },
    ];
    const asked = { question: "Good?", relevant_files: files("one"), request_id };
    const first = await tell(server, "review_code", asked);

    const again = await tell(server, "review_code", { ...asked, wait_ms: 5_000 });
    const changed = await tell(server, "review_code", { ...asked, relevant_files: files("two") });
    const elsewhere = await tell(server, "review_plan", asked);

    expect(again).toMatchObject({ replayed: true, text: first["text"], response_id: first["response_id"] });
    expect(changed).toMatchObject({ code: "request_conflict", details: { fields: ["relevant_files"] } });
    expect(elsewhere).toMatchObject({ code: "request_conflict", details: { fields: ["tool"] } });
    expectOnePost(here.sim, request_id);
  });

  test("C04: is the same question however its files are written down, and another with any word changed", async () => {
    const here = await world();
    const server = await here.server();
    const request_id = randomUUID();
    const file = { path: "a.ts", content: "one", language: "ts" };
    const asked = { question: "Good?", constraints: ["x", "y"], relevant_files: [file], request_id };
    await tell(server, "review_code", asked);

    const turned = (given: object) => Object.fromEntries(Object.entries(given).reverse());
    const same = await tell(server, "review_code", turned({ ...asked, relevant_files: [turned(file)] }));
    expect(same).toMatchObject({ replayed: true });

    const others: [object, string[]][] = [
      [{ relevant_files: [{ ...file, language: "js" }] }, ["relevant_files"]],
      [{ relevant_files: [file, file] }, ["relevant_files"]],
      [{ relevant_files: undefined }, ["relevant_files"]],
      [{ constraints: ["y", "x"] }, ["constraints"]],
      [{ logs: "", question: "Good? " }, ["logs", "question"]],
      [{ model: "other" }, ["model"]],
    ];
    for (const [change, fields] of others) {
      const refused = await tell(server, "review_code", { ...asked, ...change });
      expect(refused, JSON.stringify(change)).toMatchObject({
        code: "request_conflict",
        details: { fields },
      });
    }
    expectOnePost(here.sim, request_id);
  });

  test("leaves its id free where it is refused, so that it can be asked again without the file", async () => {
    const here = await world();
    const server = await here.server();
    const request_id = randomUUID();
    const asked = { question: "Good?", request_id };
    const refused = { ...asked, relevant_files: [{ path: ".env", content: "x" }] };
    refusal(await server.call("review_code", refused), "file_refused");
    refusal(
      await server.call("review_code", { ...asked, logs: "l", constraints: ["c".repeat(40_000)] }),
      "input_too_large",
    );
    expect(here.sim.ledger.attempts).toBe(0);
    expect(await tell(server, "review_code", asked)).toMatchObject({ status: "completed" });
    expectOnePost(here.sim, request_id);
  });

  test("asked again while it is under way joins it, and only whoever sent it is told what was sent", async () => {
    const here = await world();
    here.sim.script({ scenario: "hold_mid_text" });
    const server = await here.server();
    const asked = { question: "Good?", context: `c ${secret}`, wait_ms: 0 };
    const receipt = await tell(server, "review_code", asked);
    await until("it is under way", () => here.sim.ledger.holding === 1);
    const joined = await tell(server, "review_code", asked);

    expect(receipt).toMatchObject({ isError: false, redacted: { token: 1 }, trimmed: [] });
    expect(receipt).not.toHaveProperty("sections");
    expect(joined).toMatchObject({ joined: true, request_id: receipt["request_id"] });
    expect(joined).not.toHaveProperty("sent_chars");
    expectOnePost(here.sim, String(receipt["request_id"]));
  });

  test("goes with its question whole, however much is trimmed around it", async () => {
    const here = await world();
    const question = `${"Why does it fail? 🧵".repeat(400)} The end.`;
    const answer = await tell(await here.server(), "debug_issue", {
      question,
      context: "🧶".repeat(20_000),
      relevant_files: [1, 2, 3, 4, 5].map((n) => ({ path: `${n}.ts`, content: "🪡".repeat(10_000) })),
      logs: Array.from({ length: 900 }, (_, n) => `${n}\n${"é".repeat(n % 50)}`).join("\n"),
    });
    const [sent] = sentTo(here) as Body[];
    const input = JSON.stringify(sent?.input);
    expect(input).toContain(JSON.stringify(question).slice(1, -1));
    expect(input).not.toMatch(/\\ud[89a-f]/i);
    expect(input.length).toBeLessThan(31_000);
    const parts = [answer["trimmed"]].flat().map((says) => String(says).split(":")[0]);
    expect(parts).toEqual(["logs", "1.ts", "2.ts", "3.ts", "4.ts", "5.ts", "context"]);
  });

  test("is replayed though the files it named are gone and the layers changed", async () => {
    const here = await world();
    const directory = temporaryDirectory();
    const [named, layer] = [join(directory, "a.ts"), join(directory, "me.md")];
    writeFileSync(named, "const a = 1;");
    writeFileSync(layer, "Be blunt.");
    const env = {
      CLAIMCHECK_ENABLE_FILE_CONTEXT: "on",
      CLAIMCHECK_CONTEXT_DIR: directory,
      CLAIMCHECK_PREFERENCES_FILE: layer,
    };
    const asked = { question: "Good?", relevant_files: [{ path: "a.ts" }], request_id: randomUUID() };
    await tell(await here.server({ env }), "review_code", asked);
    expect((sentTo(here) as Body[])[0]?.instructions).toContain("Be blunt.");

    const later = await here.server({ env: { CLAIMCHECK_PREFERENCES_FILE: join(directory, "gone.md") } });
    expect(await tell(later, "review_code", asked)).toMatchObject({ replayed: true, status: "completed" });
    expect(here.sim.ledger.posts).toBe(1);
    const unreadable = refusal(await later.call("review_code", { question: "New?" }), "config_invalid");
    expect(unreadable["message"]).toMatch(
      /CLAIMCHECK_PREFERENCES_FILE names .*gone\.md, which cannot be found/,
    );
  });

  test("is asked of the model its tool was given, unless the call or the session names one", async () => {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_MODEL_REVIEW_CODE: "reviewer" } });
    const first = await tell(server, "review_code", { question: "One?" });
    await tell(server, "review_code", { question: "Two?", model: "other" });
    const named = await tell(server, "chat", { message: "Hello.", model: "session-model" });
    await tell(server, "review_code", { question: "Three?", session_id: named["session_id"] });
    await tell(server, "review_plan", { question: "Four?" });
    expect((sentTo(here) as Body[]).map(({ model }) => model)).toEqual([
      "reviewer",
      "other",
      "session-model",
      "session-model",
      "gpt-test",
    ]);
    expect(first["requested_model"]).toBe("reviewer");
  });

  test("is trimmed where it is long, says so, and is refused where even that is too much", async () => {
    const here = await world();
    const server = await here.server();
    const trimmed = await tell(server, "debug_issue", {
      question: "Why?",
      logs: Array.from({ length: 3_000 }, (_, n) => `12:00:${n} still waiting`).join("\n"),
    });
    expect(trimmed["trimmed"]).toEqual(["logs: 2997 repeated lines left out"]);

    const tooLong = refusal(
      await server.call("debug_issue", { question: "q".repeat(40_000) }),
      "input_too_large",
    );
    expect(tooLong["message"]).toMatch(/CLAIMCHECK_MAX_INPUT_CHARS/);
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("is asked without a schema, and with its secrets, where the user switched those off", async () => {
    const here = await world();
    const server = await here.server({
      env: { CLAIMCHECK_STRUCTURED_ANSWERS: "off", CLAIMCHECK_REDACT_SECRETS: "off" },
    });
    const answer = await tell(server, "ask_chatgpt", { question: `What is ${secret}?` });
    const [sent] = sentTo(here) as Body[];
    expect(sent).not.toHaveProperty("text");
    expect(sent?.input).toContain(secret);
    expect(answer).not.toHaveProperty("redacted");
  });

  test("is not listed where the user wants the core only, nor are its prompts", async () => {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_TOOLSETS: "core" } });
    expect(JSON.stringify(await server.request("tools/list"))).not.toContain("review_code");
    expect(await server.request("prompts/list")).toMatchObject({ prompts: [] });
  });
});
