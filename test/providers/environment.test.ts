/** What the environment may not do: print, redirect, retry, or add to what is sent. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { eventStream, sayJson, serve } from "./support/byte-server.ts";
import { answer, sse } from "./support/events.ts";
import { all, never, paidCall, providerAt, requestId, secretWord, testKey } from "./support/provider.ts";

const run = promisify(execFile);

const meddling = {
  OPENAI_LOG: "debug",
  OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_API_KEY: "another-key-not-real",
  OPENAI_ADMIN_KEY: "admin-key-not-real",
  OPENAI_ORG_ID: "org-not-wanted",
  OPENAI_PROJECT_ID: "proj-not-wanted",
  OPENAI_CUSTOM_HEADERS: "Authorization: Bearer stolen\nX-Extra: 1\nUser-Agent: other",
};

const script = `
  import { createOpenAIProvider } from ${JSON.stringify(new URL("../../src/providers/openai/openai.ts", import.meta.url).href)};
  async function main() {
    const provider = createOpenAIProvider({
      apiKey: ${JSON.stringify(testKey)},
      baseUrl: process.argv.at(-1),
      firstByteMs: 5000, idleMs: 5000, limits: { textBytes: 1000, eventBytes: 100000 },
    });
    process.stderr.write("provider made\\n");
    const settings = { model: "m", max_output_tokens: 16, timeout_ms: 1000, background: true };
    const call = { requestId: "r", message: ${JSON.stringify(secretWord)}, instructions: null, previousResponseId: null, transcript: [], format: null, settings };
    for await (const report of provider.send(call, new AbortController().signal)) process.stderr.write(report.type + "\\n");
  }
  void main();
`;

describe("in an environment full of OPENAI_ variables", () => {
  test("nothing is printed, and the call goes where it was told, with what it was told", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse(answer("Hi."))));

    const { stdout, stderr } = await run(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script, server.url],
      { env: { ...process.env, ...meddling }, timeout: 14_000 },
    );

    expect(stdout).toBe("");
    expect(stderr).toMatch(/upstream\.completed\n$/);
    expect(stderr).not.toContain(secretWord);
    expect(server.seen).toEqual(["POST /v1/responses"]);
    expect(server.headers.authorization).toBe(`Bearer ${testKey}`);
    for (const name of ["x-extra", "openai-organization", "openai-project"])
      expect(server.headers).not.toHaveProperty(name);
  });

  test("bad JSON from upstream is not printed either", async () => {
    const server = await serve((response) =>
      response.writeHead(200, eventStream).end(`data: {"${secretWord}\n\n`),
    );

    const { stdout, stderr } = await run(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script, server.url],
      { env: { ...process.env, ...meddling }, timeout: 14_000 },
    );

    expect(stdout).toBe("");
    expect(stderr).toBe("provider made\nupstream.lost\n");
  });
});

describe("the SDK", () => {
  const told = `
    import { register } from "node:module";
    const hooks = 'export const resolve = (name, context, next) => { if (/^(openai|undici)$/.test(name)) process._rawDebug("loads " + name); return next(name, context); }';
    register("data:text/javascript," + encodeURIComponent(hooks));
  `;

  test("is loaded by the first call and not before", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse(answer("Hi."))));

    const { stderr } = await run(
      process.execPath,
      [
        "--import",
        "tsx",
        "--import",
        `data:text/javascript,${encodeURIComponent(told)}`,
        "--input-type=module",
        "--eval",
        script,
        server.url,
      ],
      { timeout: 14_000 },
    );

    const lines = stderr.trim().split("\n");
    expect(lines.indexOf("provider made")).toBe(0);
    expect(lines).toEqual(expect.arrayContaining(["loads openai", "loads undici", "upstream.completed"]));
  });
});

describe("what is said about the caller", () => {
  test("is the key, the request's id, and the organisation and project that were set", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse(answer("Hi."))));
    const provider = providerAt(server.url, { organization: "org-test", project: "proj-test" });

    await all(provider.send(paidCall(), never));

    expect(server.headers).toMatchObject({
      accept: "text/event-stream",
      authorization: `Bearer ${testKey}`,
      "openai-organization": "org-test",
      "openai-project": "proj-test",
      "user-agent": "claimcheck",
      "x-client-request-id": requestId,
    });
  });

  test("is nothing of the platform, the runtime or the library", async () => {
    const server = await serve(sayJson({ id: "resp_1", status: "completed" }));

    await providerAt(server.url).retrieve("resp_1", never);

    expect(Object.keys(server.headers).filter((name) => name.startsWith("x-"))).toEqual([]);
    expect(server.headers).not.toHaveProperty("content-type");
  });
});

describe("the log", () => {
  test("has a line for each exchange: what for, what came, how long; no content, no key", async () => {
    const server = await serve((response) =>
      response.writeHead(200, eventStream).end(sse(answer(secretWord))),
    );
    const lines: unknown[] = [];
    const log = { event: (name: string, fields: object) => lines.push({ name, ...fields }) };

    await all(providerAt(server.url, { log }).send(paidCall(), never));

    expect(lines).toEqual([
      {
        name: "upstream.exchange",
        purpose: "send",
        status: 200,
        upstream_request_id: "req_test",
        interruption: null,
        duration_ms: expect.any(Number),
      },
    ]);
  });
});
