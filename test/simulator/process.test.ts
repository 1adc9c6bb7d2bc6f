import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { describe } from "vitest";
import { controlSimulator, type SimulatorControl } from "../../src/simulator/control.ts";
import { startGarbageServer } from "../../src/simulator/garbage-server.ts";
import { asking, test as base, clientOf, eventually, expect, failureOf, read } from "./support.ts";

interface Process {
  child: ChildProcess;
  url: string;
  control: SimulatorControl;
}

const MAIN = fileURLToPath(new URL("../../src/simulator/main.ts", import.meta.url));

const test = base.extend<{ process: Process }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern
  process: async ({}, use) => {
    const child = spawn(process.execPath, ["--import", "tsx", MAIN], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout), "line");
    const { url, control } = JSON.parse(line);
    await use({ child, url, control: controlSimulator(control) });
    if (child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.stdin.end();
    await exited;
  },
});

describe("a simulator in another process", () => {
  test("is scripted, read and reset by HTTP", async ({ process: { url, control } }) => {
    const client = clientOf({ url });
    await control.script({ times: 1, scenario: "hold_mid_text" });
    const reading = read(
      client.responses.create({ ...asking({ background: true }), metadata: { request_id: "r1" } }),
    );
    await eventually(async () => expect((await control.ledger()).holding).toBe(1));
    await control.release();
    const { id, response } = await reading;
    expect(response?.status).toBe("completed");

    await control.scriptLater({ responseId: id, retrieve: [503] });
    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 503 });
    expect(await control.ledger()).toMatchObject({
      attempts: 1,
      posts: 1,
      gets: 1,
      postsByRequest: { r1: 1 },
      requests: [{ method: "POST" }, { method: "GET" }],
      responses: [{ id, status: "completed" }],
    });

    await control.reset();
    expect(await control.ledger()).toMatchObject({ attempts: 0, requests: [], responses: [] });
  });

  test("says what is wrong with a rule", async ({ process: { control } }) => {
    const wrong = control.script({ scenario: { cut: { after: { delta: 0 }, how: "fin" } } });

    await expect(wrong).rejects.toThrow(/The simulator refused: .*delta/);
  });

  test("closes its port for a while", async ({ process: { url, control } }) => {
    const client = clientOf({ url });
    await control.pause(150);

    await eventually(async () => {
      const error = await failureOf(client.responses.retrieve("resp_x", {}, { timeout: 1_000 }));
      expect(error).toMatchObject({ cause: { cause: { code: "ECONNREFUSED" } } });
    });
    await eventually(async () => expect((await control.ledger()).posts).toBe(0));
  });

  test("ends when its standard input does, whatever is going on", async ({
    process: { child, url, control },
  }) => {
    await control.script({ scenario: "hold_mid_text" });
    const reading = read(clientOf({ url }).responses.create(asking({ background: true })));
    await eventually(async () => expect((await control.ledger()).holding).toBe(1));

    const exited = once(child, "exit");
    child.stdin?.end();

    expect(await exited).toEqual([0, null]);
    expect((await reading).error).toBeInstanceOf(TypeError);
  });
});

describe("the port", () => {
  base("refuses connections while paused, and is the same afterwards", async ({ simulator, client }) => {
    await read(client.responses.create(asking()));
    await simulator.pause();

    const error = await failureOf(client.responses.create(asking()));
    expect(error).toBeInstanceOf(OpenAI.APIConnectionError);
    expect(error).toMatchObject({ cause: { cause: { code: "ECONNREFUSED" } } });

    await simulator.resume();
    expect((await read(client.responses.create(asking()))).response?.status).toBe("completed");
    expect(simulator.ledger).toMatchObject({ attempts: 2, posts: 2 });
  });

  base("lets an exchange under way finish, and nobody in behind it", async ({ simulator, client }) => {
    simulator.script({ times: 1, scenario: "hold_mid_text" });
    const reading = read(client.responses.create(asking()));
    await eventually(() => expect(simulator.ledger.holding).toBe(1));
    await simulator.pause();
    simulator.release();

    expect((await reading).response?.status).toBe("completed");
    await eventually(async () =>
      expect(await failureOf(client.responses.create(asking()))).toMatchObject({
        cause: { cause: { code: "ECONNREFUSED" } },
      }),
    );
    await simulator.resume();
  });

  base("is not scriptable from outside unless asked for", async ({ simulator, start }) => {
    const ledgerOf = ({ url }: { url: string }) => fetch(`${new URL(url).origin}/_sim/ledger`);

    expect((await ledgerOf(simulator)).status).toBe(404);
    expect((await ledgerOf(await start({ control: true }))).status).toBe(200);
  });

  base("of a garbage server fails every TLS handshake", async () => {
    const garbage = await startGarbageServer();
    const client = new OpenAI({
      apiKey: "k",
      baseURL: `https://127.0.0.1:${garbage.port}/v1`,
      maxRetries: 0,
    });

    expect(await failureOf(client.responses.create(asking()))).toMatchObject({
      cause: { cause: { code: expect.stringMatching(/^ERR_SSL_/) } },
    });
    await garbage.close();
  });
});
