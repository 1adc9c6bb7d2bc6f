/** A provider without memory, through the real server: one call, the whole conversation each time, or nothing sent. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answerOf, beginningOf, ndjson } from "../providers/ollama/documents.ts";
import { type ByteServer, type Reply, serve } from "../providers/support/byte-server.ts";
import { alter, everyRow, select } from "../support/database.ts";
import { refusal } from "../support/said.ts";
import { type StdioServer, spawnServer } from "../support/stdio.ts";
import { tell } from "../support/told.ts";
import { until, world } from "../support/world.ts";

interface Body {
  model: string;
  messages: { role: string; content: string }[];
}

async function here(
  reply: Reply = (response) => response.writeHead(200, ndjson).end(answerOf("Fine.")),
  env = {},
) {
  const ollama = await serve(reply);
  const { server, dataDir } = await world();
  const settings = {
    CLAIMCHECK_PROVIDER: "ollama",
    OLLAMA_BASE_URL: ollama.url.replace(/\/v1$/, ""),
    OLLAMA_MODEL: "llama3.2",
    OPENAI_API_KEY: "",
    ...env,
  };
  return { ollama, dataDir, start: (more = {}) => server({ env: { ...settings, ...more } }) };
}

const bodies = ({ bodies }: ByteServer): Body[] => bodies.map((body) => JSON.parse(body));
const wordsIn = (body: Body | undefined) => body?.messages.map(({ role, content }) => `${role}: ${content}`);

describe("a session with ollama", () => {
  test("C21: knows in its third turn what was said in the first, also after a restart", async () => {
    const { ollama, start } = await here();
    const first = await start();
    const { session_id, transcript } = await tell(first, "chat", {
      message: "The code word is marzipan.",
      instructions: "Be brief.",
    });
    expect(transcript).toBe("kept");
    await tell(first, "chat", { message: "Noted?", session_id });
    await first.kill();
    await tell(await start(), "chat", { message: "Which word?", session_id });

    expect(bodies(ollama).map(({ model }) => model)).toEqual(["llama3.2", "llama3.2", "llama3.2"]);
    expect(wordsIn(bodies(ollama)[2])).toEqual([
      "system: Be brief.",
      "user: The code word is marzipan.",
      "assistant: Fine.",
      "user: Noted?",
      "assistant: Fine.",
      "user: Which word?",
    ]);
  });

  test("is replayed without a call, and pays once for one id", async () => {
    const { ollama, start } = await here();
    const server = await start();
    const asked = { message: "Once.", request_id: randomUUID() };
    const answer = await tell(server, "chat", asked);
    expect(answer).toMatchObject({ status: "completed", text: "Fine.", provider: "ollama", warnings: [] });
    expect(await tell(server, "chat", asked)).toMatchObject({ replayed: true, text: "Fine." });
    expect(ollama.seen).toEqual(["POST /api/chat"]);
  });

  test("keeps questions here and nowhere else: not those asked of openai, and none where that is off", async () => {
    const { dataDir, start } = await here();
    await tell(await start(), "chat", { message: "kept-word" });
    expect(JSON.stringify(everyRow(dataDir))).toContain("kept-word");

    const off = await here(undefined, { CLAIMCHECK_TRANSCRIPTS: "off" });
    const server = await off.start();
    const first = await tell(server, "chat", { message: "unkept-word" });
    expect(first).toMatchObject({ status: "completed", transcript: "not_kept" });
    expect(JSON.stringify(everyRow(off.dataDir))).not.toContain("unkept-word");
    const second = refusal(
      await server.call("chat", { message: "And?", session_id: first["session_id"] }),
      "context_missing",
    );
    expect(second["message"]).toMatch(/CLAIMCHECK_TRANSCRIPTS/);
    expect(off.ollama.seen).toHaveLength(1);
  });

  test("is never continued with a part of what was said", async () => {
    const { dataDir, ollama, start } = await here();
    const server = await start();
    const { session_id } = await tell(server, "chat", { message: "One." });
    await tell(server, "chat", { message: "Two.", session_id });
    alter(dataDir, "delete from questions where message = ?", "One.");
    refusal(await server.call("chat", { message: "Three.", session_id }), "context_missing");
    expect(ollama.seen).toHaveLength(2);
    expect(select(dataDir, "select id from requests")).toHaveLength(2);
  });

  test("counts what was said before towards the input limit, since all of it goes again", async () => {
    const { ollama, start } = await here(undefined, { CLAIMCHECK_MAX_INPUT_BYTES: "2048" });
    const server = await start();
    const { session_id } = await tell(server, "chat", { message: "a".repeat(1_500) });
    const told = refusal(
      await server.call("chat", { message: "b".repeat(1_000), session_id }),
      "input_too_large",
    );
    expect(told["message"]).toMatch(/keeps no conversation/);
    expect(ollama.seen).toHaveLength(1);
  });

  test("does not carry what was refused or cut off", async () => {
    let turn = 0;
    const { ollama, start } = await here((response) => {
      turn += 1;
      if (turn === 2) return response.writeHead(404).end('{"error":"no such model"}');
      return response.writeHead(200, ndjson).end(answerOf("Fine."));
    });
    const server = await start();
    const { session_id } = await tell(server, "chat", { message: "One." });
    const failed = await tell(server, "chat", { message: "Two.", session_id, model: "nope" });
    expect(failed).toMatchObject({ status: "failed", failure: { code: "model_unavailable" } });
    await tell(server, "chat", { message: "Three.", session_id });
    expect(wordsIn(bodies(ollama)[2])).toEqual(["user: One.", "assistant: Fine.", "user: Three."]);
  });
});

describe("what ollama keeps nothing of", () => {
  const cut: Reply = (response) =>
    response.writeHead(200, ndjson).write(beginningOf("One"), () => response.destroy());

  test("a stream that breaks is an unknown outcome, and says that nobody can be asked", async () => {
    const { ollama, start } = await here(cut);
    const server = await start();
    const asked = { message: "Hello.", request_id: randomUUID() };
    const lost = await tell(server, "chat", asked);
    expect(lost).toMatchObject({ isError: true, status: "unknown_outcome" });
    expect(lost["next"]).toMatch(/keeps no answers/);
    expect(lost["next"]).not.toMatch(/attach/);
    expect(await tell(server, "chat", asked)).toMatchObject({ status: "unknown_outcome" });
    expect(ollama.seen).toHaveLength(1);
  });

  test("so is a server that was killed in the middle", async () => {
    const { ollama, start } = await here((response) =>
      response.writeHead(200, ndjson).write(beginningOf("One")),
    );
    const first: StdioServer = await start();
    const request_id = randomUUID();
    const begun = await tell(first, "chat", { message: "Hello.", request_id, wait_ms: 0 });
    expect(begun["status"]).toMatch(/claimed|streaming/);
    await until("it is asked", () => ollama.seen.length === 1);
    await first.kill();
    const second = await start();
    expect(await tell(second, "answers", { action: "wait", request_id, wait_ms: 8_000 })).toMatchObject({
      status: "unknown_outcome",
    });
    expect(ollama.seen).toHaveLength(1);
  });

  test("a second opinion is asked for in a schema too, and a session of another provider stays with it", async () => {
    const { ollama, start } = await here((response) =>
      response.writeHead(200, ndjson).end(answerOf(JSON.stringify({ summary: "Yes." }))),
    );
    const server = await start();
    const answer = await tell(server, "review_plan", { question: "Good?" });
    expect(answer).toMatchObject({ status: "completed", sections: { summary: "Yes." } });
    expect(JSON.parse(ollama.bodies[0] ?? "")).toMatchObject({ format: { type: "object" } });
    const other = { message: "Hi.", session_id: answer["session_id"], provider: "openai" };
    refusal(await server.call("chat", other), "session_provider");
  });
});

test("a provider that there is not is refused at the start, with those that there are", async () => {
  const { dataDir } = await world();
  const server = spawnServer({
    upstream: "http://127.0.0.1:9",
    dataDir,
    env: { CLAIMCHECK_PROVIDER: "gemini" },
  });
  await until("it has ended", () => server.child.exitCode !== null);
  expect(server.stderr()).toMatch(/CLAIMCHECK_PROVIDER must be one of openai, ollama, /);
});
