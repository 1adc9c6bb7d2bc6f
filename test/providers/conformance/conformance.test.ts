/** What every provider promises the engine, whoever is behind it. */
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { type Reply, sayInPieces, sayJson, serve } from "../support/byte-server.ts";
import { all, closing, never, paidCall, secretWord, textOf } from "../support/provider.ts";
import { parties } from "./providers.ts";

const text = "Grüße, 世界! A 🎺 plays on.";
const patient = { firstByteMs: 5_000, idleMs: 5_000 };

describe.each(parties)("$name", ({ make, headers, whole, beginning }) => {
  async function answered(reply: Reply, clocks = patient) {
    const server = await serve(reply);
    const reports = await all(make(server.url.replace(/\/v1$/, ""), clocks).send(paidCall(), never));
    expect(
      server.seen.filter((line) => line.startsWith("POST")),
      "one paid call",
    ).toHaveLength(1);
    expect(JSON.stringify(reports), "nothing of upstream's words").not.toContain(secretWord);
    return { reports, end: closing(reports) };
  }

  const said =
    (body: string, status = 200): Reply =>
    (response) =>
      response.writeHead(status, headers).end(body);

  test("tells an answer: accepted first, then further and further on, then whole, once", async () => {
    const { reports, end } = await answered(said(whole(text)));
    expect(reports[0]).toMatchObject({
      type: "upstream.accepted",
      responseId: expect.stringMatching(/^\S+$/),
    });
    expect(reports.filter(({ type }) => type === "upstream.accepted")).toHaveLength(1);
    expect(end.type).toBe("upstream.completed");
    expect(textOf(end)).toBe(text);
  });

  test.each([1, 3, 17, 1_000])("tells the same in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(whole(text));
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    expect(textOf((await answered(sayInPieces(pieces, headers))).end)).toBe(text);
  });

  test("does not wait for the connection to end after the answer", async () => {
    const { end } = await answered((response) => response.writeHead(200, headers).write(whole(text)));
    expect(textOf(end)).toBe(text);
  });

  test("calls a stream that breaks off lost, with what had arrived", async () => {
    for (const leave of ["end", "destroy"] as const) {
      const { reports, end } = await answered((response) =>
        response.writeHead(200, headers).write(beginning("One two"), () => response[leave]()),
      );
      expect(reports[0]?.type).toBe("upstream.accepted");
      expect(end).toMatchObject({ type: "upstream.lost", partial: { text: "One two" } });
    }
  });

  test("calls silence lost, before the first byte and after it", async () => {
    const before = await answered(() => {}, { firstByteMs: 150, idleMs: 5_000 });
    expect(before.end).toMatchObject({ type: "upstream.lost", cause: "first_byte_timeout" });
    const after = await answered((response) => response.writeHead(200, headers).write(beginning("One two")), {
      firstByteMs: 5_000,
      idleMs: 150,
    });
    expect(after.end).toMatchObject({ type: "upstream.lost", cause: "idle" });
  });

  test.each([500, 502, 504, 529])("cannot know what became of a call that %i answered", async (status) => {
    expect((await answered(sayJson({ error: secretWord }, status))).end.type).toBe("upstream.lost");
  });

  test.each([400, 401, 403, 404, 422])("takes %i for a rejection", async (status) => {
    const { end } = await answered(sayJson({ error: { type: "x", message: secretWord } }, status));
    expect(end).toMatchObject({ type: "upstream.rejected", failure: { status } });
  });

  test("follows no redirect: that would be a second call", async () => {
    const { end } = await answered((response) => response.writeHead(307, { location: "/other" }).end());
    expect(end.type).toBe("upstream.lost");
  });

  test("knows that a server which is not there never had the call", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    closed.close();
    const root = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const reports = await all(make(root, patient).send(paidCall(), never));
    expect(reports).toMatchObject([{ type: "upstream.unstarted", failure: { cause: "ECONNREFUSED" } }]);
  });

  test("ends at our signal with what had arrived, and before it leaves not at all", async () => {
    const server = await serve((response) => response.writeHead(200, headers).write(beginning("One two")));
    const root = server.url.replace(/\/v1$/, "");
    const stop = new AbortController();
    const heard = [];
    for await (const report of make(root, patient).send(paidCall(), stop.signal)) {
      heard.push(report);
      if (report.type === "progress") stop.abort();
    }
    expect(closing(heard).type).toBe("aborted");

    const early = await all(make(root, patient).send(paidCall(), AbortSignal.abort()));
    expect(early).toMatchObject([{ type: "upstream.unstarted", failure: { code: "not_sent" } }]);
    expect(server.seen).toHaveLength(1);
  });

  test("has another mark for another address, and says what it can", () => {
    const [one, other] = [make("http://127.0.0.1:1111", patient), make("http://127.0.0.1:2222", patient)];
    expect(one.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(make("http://127.0.0.1:1111", patient).fingerprint).toBe(one.fingerprint);
    expect(Object.values(one.capabilities).every((can) => typeof can === "boolean")).toBe(true);
  });
});
