import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { lineTransport } from "../../src/mcp/line-transport.ts";

const ping = (id: number | string) => ({ jsonrpc: "2.0" as const, id, method: "ping" });
const line = (message: unknown) => `${JSON.stringify(message)}\n`;

async function open(maxLineBytes = 1_000) {
  const input = new PassThrough();
  const received: JSONRPCMessage[] = [];
  const written: string[] = [];
  let replies = 0;
  const transport = lineTransport({
    input,
    write: (text, done) => {
      written.push(text);
      done();
    },
    maxLineBytes,
    onReplied: () => {
      replies += 1;
    },
  });
  transport.onmessage = (message) => received.push(message);
  await transport.start();
  /** Everything given has been read when this resolves: a stream hands its chunks over in order. */
  const give = async (...chunks: (string | Buffer)[]) => {
    for (const chunk of chunks) await new Promise((resolve) => input.write(chunk, resolve));
  };
  return {
    transport,
    received,
    give,
    replies: () => replies,
    written: () => written.map((text) => JSON.parse(text)),
    raw: written,
  };
}

describe("messages arrive however the pipe cuts them", () => {
  test("several in one piece", async () => {
    const { give, received } = await open();
    await give(line(ping(1)) + line(ping(2)));
    expect(received).toEqual([ping(1), ping(2)]);
  });

  test("one byte at a time, characters of several bytes included", async () => {
    const { give, received } = await open();
    const message = { ...ping(1), params: { text: "naïve 漢字 🎟" } };
    await give(...[...Buffer.from(line(message))].map((byte) => Buffer.from([byte])));
    expect(received).toEqual([message]);
  });

  test("with carriage returns and empty lines between", async () => {
    const { give, received, written } = await open();
    await give(`\r\n\n${JSON.stringify(ping(1))}\r\n\n`);
    expect(received).toEqual([ping(1)]);
    expect(written()).toEqual([]);
  });

  test("up to the limit exactly", async () => {
    const text = JSON.stringify(ping("x".repeat(50)));
    const { give, received } = await open(text.length);
    await give(`${text}\n`);
    expect(received).toHaveLength(1);
  });
});

describe("what cannot be read is answered, and the connection lives", () => {
  test.each([
    ["no JSON", "{nonsense", { id: null, error: { code: -32700 } }],
    ["no message", '{"id":7,"hello":"there"}', { id: 7, error: { code: -32600 } }],
    ["an id that is none", '{"id":{},"method":1}', { id: null, error: { code: -32600 } }],
    ["a batch", `[${JSON.stringify(ping(1))}]`, { id: null, error: { code: -32600 } }],
    ["a bare value", "null", { id: null, error: { code: -32600 } }],
  ])("%s", async (_, text, reply) => {
    const { give, received, written } = await open();
    await give(`${text}\n`, line(ping(8)));
    expect(written()).toMatchObject([{ jsonrpc: "2.0", ...reply }]);
    expect(received).toEqual([ping(8)]);
  });

  test.each([
    [
      "first",
      (id: string, filler: string) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"t":"${filler}"}}`,
    ],
    [
      "last",
      (id: string, filler: string) => `{"method":"m","params":{"t":"${filler}"},"jsonrpc":"2.0","id":${id}}`,
    ],
  ])("a line over the limit whose id stands %s, to whoever sent it", async (_, shaped) => {
    const { give, received, written } = await open();
    const huge = "y".repeat(300_000);
    await give(`${shaped("42", huge)}\n`, `${shaped('"a-b"', huge)}\n`, line(ping(8)));
    expect(written()).toMatchObject([
      { id: 42, error: { code: -32600, message: expect.stringContaining("1000 bytes") } },
      { id: "a-b", error: { code: -32600 } },
    ]);
    expect(received).toEqual([ping(8)]);
  });

  test("a line over the limit is not believed where it speaks of ids in its content", async () => {
    const { give, written } = await open();
    await give(`{"params":{"t":"${"y".repeat(2_000)}\\"id\\":5}"}}\n`);
    expect(written()).toMatchObject([{ id: null }]);
  });

  test("a line without end costs no more memory than the limit", async () => {
    const { give, received } = await open(1_000_000);
    const before = heldBytes();
    for (let count = 0; count < 64; count += 1) await give(Buffer.alloc(1_000_000, "z"));
    // Freed buffers are swept beside the program, so the figure may lag a moment.
    await expect.poll(() => heldBytes() - before, { timeout: 5_000 }).toBeLessThan(40_000_000);
    await give("\n", line(ping(1)));
    expect(received).toEqual([ping(1)]);
  });
});

/** Bytes in buffers that are still reachable: when garbage is collected otherwise is each Node's own matter. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}

describe("a reply is never replied to", () => {
  test.each([
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "x" } },
    { jsonrpc: "2.0", error: { code: 1 } },
    { id: null, result: null },
  ])("one that names nobody, such as %j, is dropped", async (reply) => {
    const { give, received, written } = await open();
    await give(line(reply), line(ping(1)));
    expect(received).toEqual([ping(1)]);
    expect(written()).toEqual([]);
  });

  test("one that is malformed is heard as the client's failure by whoever waits for it", async () => {
    const { give, received, written } = await open();
    await give(line({ jsonrpc: "2.0", id: 7, result: [1] }));
    expect(received).toEqual([expect.objectContaining({ id: 7, error: expect.anything() })]);
    expect(written()).toEqual([]);
  });
});

describe("draining", () => {
  const reply = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });
  const soon = 5;
  const never = 60_000;

  test("is over at once when nothing is owed", async () => {
    const { transport } = await open();
    await transport.drained(never);
  });

  test("waits for the last reply", async () => {
    const { transport, give, replies } = await open();
    await give(line(ping(1)), line(ping(2)));
    const drained = transport.drained(never);
    await transport.send(reply(1));
    await transport.send(reply(2));
    await drained;
    expect(replies()).toBe(2);
  });

  test("does not wait for a call that was cancelled, which gets no reply", async () => {
    const { transport, give } = await open();
    await give(line(ping(1)));
    await give(line({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }));
    await transport.drained(never);
  });

  test("waits no longer than it is told to", async () => {
    const { transport, give } = await open();
    await give(line(ping(1)));
    await transport.drained(soon);
  });
});

test("a notification is no reply", async () => {
  const { transport, replies, raw } = await open();
  await transport.send({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: 1, progress: 1 },
  });
  expect(replies()).toBe(0);
  expect(raw).toEqual([expect.stringMatching(/^\{[^\n]*\}\n$/)]);
});

test("after closing nothing is taken and nothing can be sent", async () => {
  const { transport, received, give } = await open();
  let closed = 0;
  transport.onclose = () => {
    closed += 1;
  };
  await transport.close();
  await transport.close();
  expect(closed).toBe(1);
  await expect(transport.send(ping(1))).rejects.toThrow(/closed/);
  void give(line(ping(1)));
  expect(received).toEqual([]);
});
