/** What doctor concludes of upstream, from calls that can generate nothing, and where it says that it cannot tell. */
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { door } from "../support/bad-doors.ts";
import { temporaryDirectory, world } from "../support/world.ts";
import { type Examined, examinedHere, wellFor } from "./support/doctor.ts";

/** An upstream of one's own making, with all it was asked. */
async function upstream(listener: RequestListener) {
  const asked: { path: string; method: string; key: string | undefined }[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push({
      path: incoming.url ?? "",
      method: incoming.method ?? "",
      key: incoming.headers.authorization,
    });
    listener(incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`, asked };
}

const reply = (
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  outgoing
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));

const refusal = (message: string) => ({
  error: { message, type: "invalid_request_error", param: null, code: null },
});

function online(url: string, more: Record<string, string> = {}): Promise<Examined> {
  return examinedHere(wellFor(temporaryDirectory(), { OPENAI_BASE_URL: url, ...more }), {
    args: ["--online"],
  });
}

describe("upstream as it should be", () => {
  test("is told as reachable and able to look up responses, and nothing was generated", async () => {
    const sim = await startSimulator();
    onTestFinished(() => sim.close());

    const { code, checks } = await online(sim.url);

    expect(code).toBe(0);
    expect(checks["upstream"]).toMatchObject({
      verdict: "ok",
      says: expect.stringContaining("does not refuse the key"),
    });
    expect(checks["retrieve"]?.verdict).toBe("ok");
    expect(checks["background"]).toMatchObject({
      verdict: "skip",
      says: expect.stringContaining("paid call"),
    });
    expect(checks["clock"]?.says).toContain("upstream's clock");
    expect(sim.ledger.attempts).toBe(0);
  });

  test("is not asked anything without --online", async () => {
    const { url, asked } = await upstream((_, outgoing) => reply(outgoing, 500, ""));
    const { code, checks } = await examinedHere(wellFor(temporaryDirectory(), { OPENAI_BASE_URL: url }));
    expect(code).toBe(0);
    expect(checks["upstream"]?.verdict).toBe("skip");
    expect(asked).toEqual([]);
  });

  test("is not asked anything where there is no key to ask with", async () => {
    const { url, asked } = await upstream((_, outgoing) => reply(outgoing, 500, ""));
    const { checks } = await online(url, { OPENAI_API_KEY: "" });
    expect(checks["upstream"]).toMatchObject({ verdict: "skip", says: expect.stringContaining("no key") });
    expect(asked).toEqual([]);
  });

  test("shows whether it has the model, and which is meant where it has not", async () => {
    const { url } = await upstream(({ url: path = "" }, outgoing) =>
      path.endsWith("/models")
        ? reply(outgoing, 200, { object: "list", data: [{ id: "gpt-tests" }, { id: "other" }] })
        : reply(outgoing, 404, refusal(path.endsWith("0") ? "No such response." : "Invalid URL")),
    );
    const listed = await online(url, { OPENAI_MODEL: "other" });
    const unlisted = await online(url);
    expect(listed.checks["model"]).toMatchObject({
      verdict: "ok",
      says: expect.stringContaining("upstream lists"),
    });
    expect(unlisted.checks["model"]).toMatchObject({
      verdict: "warn",
      next: expect.stringContaining("gpt-tests"),
    });
    expect(unlisted.code).toBe(0);
  });

  test("what it said of stored responses and background work is read off the newest answer", async () => {
    const here = await world();
    const environment = wellFor(here.dataDir, { OPENAI_BASE_URL: here.sim.url });
    const server = await here.server();
    await server.call("chat", { message: "What is a ticket?" });
    const kept = await examinedHere(environment);
    here.sim.script({ scenario: { treatAs: { store: false, background: false } } });
    await server.call("chat", { message: "What is a coat?" });
    const ignored = await examinedHere(environment);
    await server.close();

    expect(kept.checks["background"]).toMatchObject({
      verdict: "ok",
      says: expect.stringMatching(/^Stored and run in the background/),
    });
    expect(ignored.checks["background"]?.verdict).toBe("warn");
  });
});

describe("upstream that is not", () => {
  test("there is told with the system's reason", async () => {
    const sim = await startSimulator();
    await sim.close();
    const { code, checks } = await online(sim.url);
    expect(code).toBe(1);
    expect(checks["upstream"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining("ECONNREFUSED"),
    });
    expect(checks["retrieve"]?.verdict).toBe("skip");
  });

  test("answering is given up after five seconds", async () => {
    const port = await door(() => undefined);
    const started = performance.now();
    const { code, checks } = await online(`http://127.0.0.1:${port}/v1`);
    expect(code).toBe(1);
    expect(checks["upstream"]?.says).toContain("no answer within 5 s");
    expect(performance.now() - started).toBeLessThan(9_000);
  });

  test("speaking HTTP is told apart from one that is not there", async () => {
    const port = await door((socket) => socket.end("220 mail.example.com\r\n"));
    const { checks } = await online(`http://127.0.0.1:${port}/v1`);
    expect(checks["upstream"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining("cannot be reached"),
    });
  });

  test("taking the key says so, and is asked once only", async () => {
    const { url, asked } = await upstream((_, outgoing) =>
      reply(outgoing, 401, refusal("Incorrect API key: test-key")),
    );
    const { code, printed, checks } = await online(url);
    expect(code).toBe(1);
    expect(checks["upstream"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining("refuses the key (401)"),
    });
    expect(asked).toHaveLength(1);
    expect(printed).not.toContain("Incorrect");
  });

  test("an API but a web page is told as that", async () => {
    const { url } = await upstream((_, outgoing) =>
      reply(outgoing, 200, "<!doctype html><p>Welcome", { "content-type": "text/html" }),
    );
    const { code, checks } = await online(url);
    expect(code).toBe(1);
    expect(checks["upstream"]).toMatchObject({ verdict: "fail", says: expect.stringContaining("web page") });
  });

  test("where it says to be is not followed with the key", async () => {
    const elsewhere = await upstream((_, outgoing) => reply(outgoing, 404, refusal("No such response.")));
    const { url } = await upstream((_, outgoing) =>
      reply(outgoing, 307, "", { location: `${elsewhere.url}/secret-path` }),
    );
    const { code, printed, checks } = await online(url);
    expect(code).toBe(1);
    expect(checks["upstream"]?.says).toContain(new URL(elsewhere.url).origin);
    expect(printed).not.toContain("secret-path");
    expect(elsewhere.asked).toEqual([]);
  });

  test.each([
    [403, "forbids"],
    [429, "limits requests"],
    [503, "in trouble"],
  ])("at its best (%i) is a warning, since it is there", async (status, says) => {
    const { url } = await upstream((_, outgoing) => reply(outgoing, status, refusal("Not now.")));
    const { code, checks } = await online(url);
    expect(code).toBe(0);
    expect(checks["upstream"]).toMatchObject({ verdict: "warn", says: expect.stringContaining(says) });
    expect(checks["retrieve"]?.verdict).toBe("skip");
  });
});

test("a web page that tells of trouble is trouble and not another server", async () => {
  const { url } = await upstream((_, outgoing) => reply(outgoing, 502, "<html>Bad gateway"));
  const { code, checks } = await online(url);
  expect(code).toBe(0);
  expect(checks["upstream"]).toMatchObject({
    verdict: "warn",
    says: expect.stringContaining("in trouble (502)"),
  });
});

describe("whether responses can be looked up is not guessed", () => {
  const same: [string, (path: string) => [status: number, body: unknown]][] = [
    ["the same of every path", () => [404, refusal("Not found")]],
    ["the same of every path, naming it", (path) => [404, refusal(`Invalid URL (GET ${path})`)]],
    ["what no API says", () => [404, { detail: "Not Found" }]],
    ["that all is well", () => [200, {}]],
    ["something that is not JSON", () => [404, "404 page not found"]],
  ];

  test.each(same)("of an upstream that says %s", async (_, answer) => {
    const { url, asked } = await upstream(({ url: path = "" }, outgoing) => reply(outgoing, ...answer(path)));
    const { checks } = await online(url);
    expect(checks["retrieve"]).toMatchObject({
      verdict: "skip",
      says: expect.stringContaining("annot be told"),
    });
    expect(asked.map(({ method }) => method).filter((method) => method !== "GET")).toEqual([]);
  });
});

test("a clock that differs from upstream's by more than a minute is a warning", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toUTCString();
  const { url } = await upstream((_, outgoing) =>
    reply(outgoing, 404, refusal("No such response."), { date: tomorrow }),
  );
  const { code, checks } = await online(url);
  expect(code).toBe(0);
  expect(checks["clock"]).toMatchObject({
    verdict: "warn",
    says: expect.stringMatching(/23 h 59 min behind|1 d 0 h behind/),
  });
});
