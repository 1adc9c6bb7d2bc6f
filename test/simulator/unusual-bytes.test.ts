import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe } from "vitest";
import type { Rule, ScenarioName, Simulator } from "../../src/simulator/simulator.ts";
import { asking, eventually, expect, test } from "./support.ts";

const MESSAGE = "naïve 🎟️";

describe("bytes that the SDK reads like any others", () => {
  const harmless: ScenarioName[] = [
    "burst",
    "single_bytes",
    "gzip",
    "crlf",
    "cr",
    "bom",
    "comments",
    "id_and_retry",
    "no_event_lines",
    "done_marker",
  ];

  test.for(harmless)("%s", async (scenario, { play, simulator }) => {
    const { text, finalText, response, error } = await play(scenario, { message: MESSAGE });

    expect(error).toBeUndefined();
    expect(response?.status).toBe("completed");
    expect(text).toMatch(/naïve.* 🎟️/);
    expect(text).toBe(finalText);
    expect(simulator.ledger.posts).toBe(1);
  });

  test("kept_open: the connection outlives the terminal event", async ({ simulator, client }) => {
    simulator.script({ scenario: "kept_open" });
    const stream = await client.responses.create(asking());
    for await (const event of stream) if (event.type === "response.completed") break;

    await eventually(() => expect(simulator.ledger.requests).toMatchObject([{ ended: "left" }]));
    expect(simulator.ledger.responses).toMatchObject([{ status: "completed", retrievable: true }]);
  });
});

describe("bytes that the SDK stumbles over", () => {
  test("no_final_blank_line: version 6 loses the last event", async ({ play }) => {
    const { types, error } = await play("no_final_blank_line");

    expect(error).toBeUndefined();
    expect(types.at(-1)).toBe("response.output_item.done");
  });

  test("bad_json: a SyntaxError in the middle", async ({ play }) => {
    const { types, error } = await play("bad_json");

    expect(error).toBeInstanceOf(SyntaxError);
    expect(types.at(-1)).toBe("response.content_part.added");
  });
});

describe("the bytes themselves", () => {
  test("are events of two lines and a blank one", async ({ simulator }) => {
    const text = (await streamedBytes(simulator, {})).toString();

    expect(text).toMatch(/^(event: [\w.]+\ndata: \{.*\}\n\n)+$/);
    expect(text).not.toContain("[DONE]");
  });

  test("are compressed, ended by CR LF, or marked where it says so", async ({ simulator }) => {
    const compressed = await streamedBytes(simulator, { wire: { gzip: true } });
    expect(gunzipSync(compressed).toString()).toMatch(/^event: response\.created\n/);

    const crlf = (await streamedBytes(simulator, { wire: { lineEnding: "crlf" } })).toString();
    expect(crlf.split("\r\n").length).toBe(crlf.split("\n").length);

    const odd = await streamedBytes(simulator, {
      wire: { bom: true, comments: true, idAndRetry: true, doneMarker: true },
    });
    expect(odd.toString()).toMatch(/^\uFEFF: still here\n\nid: 0\nretry: 3000\nevent: response\.created\n/);
    expect(odd.toString()).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  });

  test("come one at a time, or all at once", async ({ simulator }) => {
    const single = await chunksOf(simulator, "single_bytes");
    expect(single.every(({ length }) => length === 1)).toBe(true);

    const burst = await chunksOf(simulator, "burst");
    expect(burst[0]?.toString()).toContain("response.completed");
  });

  test("leave out the last blank line", async ({ simulator }) => {
    expect((await streamedBytes(simulator, "no_final_blank_line")).toString()).toMatch(/[^\n]\n$/);
  });
});

async function streamedBytes(simulator: Simulator, scenario: Rule["scenario"]): Promise<Buffer> {
  return Buffer.concat(await chunksOf(simulator, scenario));
}

/** The body in the pieces in which it arrives, untouched: `fetch` would decompress it. */
async function chunksOf(simulator: Simulator, scenario: Rule["scenario"]): Promise<Buffer[]> {
  simulator.script({ scenario, times: 1 });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: "Bearer sk-test" };
    const call = request(`${simulator.url}/responses`, { method: "POST", headers, agent: false }, resolve);
    call.on("error", reject).end(JSON.stringify(asking({ message: MESSAGE })));
  });
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(answer, "end");
  return chunks;
}
