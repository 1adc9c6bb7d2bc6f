/** Anthropic through the real server: paid once, carried on by transcript, and honest about what is lost. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answerOf, apiError, started, words } from "../providers/anthropic/events.ts";
import { type Reply, sayJson, serve } from "../providers/support/byte-server.ts";
import { everyRow } from "../support/database.ts";
import { refusal } from "../support/said.ts";
import { testKey } from "../support/stdio.ts";
import { tell } from "../support/told.ts";
import { world } from "../support/world.ts";

const headers = { "content-type": "text/event-stream", "request-id": "req_test" };
const fine: Reply = (response) => response.writeHead(200, headers).end(answerOf("Fine."));

async function here(reply: Reply = fine, env = {}) {
  const upstream = await serve(reply);
  const { server, dataDir } = await world();
  const settings = {
    CLAIMCHECK_PROVIDER: "anthropic",
    ANTHROPIC_API_KEY: testKey,
    ANTHROPIC_BASE_URL: upstream.url.replace(/\/v1$/, ""),
    ANTHROPIC_MODEL: "claude-sim",
    OPENAI_API_KEY: "",
    ...env,
  };
  return { upstream, dataDir, start: () => server({ env: settings }) };
}

describe("anthropic", () => {
  test("answers once for an id, and carries the conversation on after a restart", async () => {
    const { upstream, dataDir, start } = await here();
    const first = await start();
    const asked = { message: "The code word is marzipan.", request_id: randomUUID() };
    const answer = await tell(first, "chat", asked);
    expect(answer).toMatchObject({ status: "completed", text: "Fine.", model: "claude-sim", warnings: [] });
    expect(await tell(first, "chat", asked)).toMatchObject({ replayed: true });
    await first.kill();
    await tell(await start(), "chat", { message: "Which word?", session_id: answer["session_id"] });

    expect(upstream.seen).toEqual(["POST /v1/messages", "POST /v1/messages"]);
    expect(JSON.parse(upstream.bodies[1] ?? "")).toMatchObject({
      messages: [
        { role: "user", content: "The code word is marzipan." },
        { role: "assistant", content: "Fine." },
        { role: "user", content: "Which word?" },
      ],
    });
    expect(JSON.stringify(everyRow(dataDir))).not.toContain(testKey);
  });

  const ends: [string, Reply, object][] = [
    [
      "an answer cut short by its limit",
      (response) => response.writeHead(200, headers).end(answerOf("Half", { stop: "max_tokens" })),
      { status: "incomplete", incomplete_reason: "max_output_tokens", text: "Half" },
    ],
    [
      "a refusal",
      (response) => response.writeHead(200, headers).end(answerOf("No.", { stop: "refusal" })),
      { status: "refused", refusal: "No." },
    ],
    [
      "a rejected key",
      sayJson(apiError("authentication_error", "x"), 401),
      { status: "failed", failure: { code: "authentication_failed", http_status: 401 } },
    ],
    ["an overload", sayJson(apiError("overloaded_error", "x"), 529), { status: "unknown_outcome" }],
    [
      "a stream that breaks off",
      (response) => response.writeHead(200, headers).end(started() + words("Half")),
      { status: "unknown_outcome" },
    ],
  ];
  test.each(ends)("%s ends as what it is, and nothing is sent again", async (_, reply, end) => {
    const { upstream, start } = await here(reply);
    const server = await start();
    const asked = { message: "Hello.", request_id: randomUUID() };
    const told = await tell(server, "chat", asked);
    expect(told).toMatchObject({ isError: true, ...end });
    if (told["status"] === "unknown_outcome") expect(told["next"]).toMatch(/keeps no answers/);
    expect(await tell(server, "chat", asked)).toMatchObject(end);
    expect(upstream.seen).toHaveLength(1);
  });

  test("is refused before anything is sent what it has no equivalent of", async () => {
    const { upstream, start } = await here();
    const server = await start();
    const told = refusal(
      await server.call("chat", { message: "Hi.", verbosity: "low" }),
      "provider_unsupported",
    );
    expect(told["message"]).toMatch(/anthropic cannot be asked for verbosity/);
    const effort = await server.call("chat", { message: "Hi.", reasoning_effort: "minimal" });
    expect(refusal(effort, "provider_unsupported")["message"]).toContain("reasoning_effort");
    expect(upstream.seen).toEqual([]);
  });

  test("can be asked beside another default where its key is there, and not where it is not", async () => {
    const { upstream, start } = await here(fine, { CLAIMCHECK_PROVIDER: "manual" });
    const answer = await tell(await start(), "chat", { message: "Hi.", provider: "anthropic" });
    expect(answer).toMatchObject({ status: "completed", provider: "anthropic" });
    expect(upstream.seen).toHaveLength(1);

    const without = await here(fine, { CLAIMCHECK_PROVIDER: "manual", ANTHROPIC_API_KEY: "" });
    const other = await (await without.start()).call("chat", { message: "Hi.", provider: "anthropic" });
    expect(refusal(other, "provider_unknown")["message"]).toMatch(/Use one of: ollama, manual/);
  });
});
