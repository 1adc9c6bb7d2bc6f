/** Going on with a stream that broke off: no gap, no repeat, no second POST. */
import { describe, expect, test } from "vitest";
import type { Carry, StreamReport } from "../../src/providers/provider.ts";
import type { Scenario } from "../../src/simulator/simulator.ts";
import { eventStream, say, sayAndHold, serve } from "./support/byte-server.ts";
import { answer, delta, numbered, responseId, sse } from "./support/events.ts";
import { all, carryIn, closing, never, paidCall, providerAt, textOf, upstream } from "./support/provider.ts";

const text = "Ten years, naïve café, and then 🎟️ the ticket, at last, in my hand.";

const breaks: [string, Scenario["cut"]][] = [
  ["after the first event", { after: "created", how: "reset" }],
  ["after the third event", { after: { event: 3 }, how: "fin" }],
  ["inside a character", { after: "inside_character", how: "fin" }],
  ["inside an event", { after: { byte: 2_500 }, how: "reset" }],
  ["after the last delta", { after: "last_delta", how: "eof" }],
  ["before the terminal event", { after: "before_terminal", how: "reset" }],
];

/** Everything except `attached`, which a resumed stream has and a whole one has not. */
function progressOf(reports: readonly StreamReport[]) {
  return reports.flatMap((report) => (report.type === "progress" ? [report.sequence] : []));
}

/** A stream whose connection is dropped once so many characters of it were heard, and what a resumed one says. */
async function brokenAfter(chars: number, heard: object[], resumed: object[]) {
  const held = sayAndHold(sse(heard), say(sse(resumed)));
  const server = await serve(held.reply);
  const provider = providerAt(server.url);
  const reports: StreamReport[] = [];
  for await (const report of provider.send(paidCall(), never)) {
    reports.push(report);
    if (report.type === "progress" && report.chars === chars) held.drop();
  }
  return { server, provider, carry: carryIn(reports) };
}

describe("a stream that broke off", () => {
  test.each(breaks)("%s goes on where it was", async (_, cut) => {
    const { provider, ledger } = await upstream({ output: { text, deltaChars: 3 }, ...(cut && { cut }) });
    const first = await all(provider.send(paidCall(), never));
    const carry = carryIn(first);

    const rest = await all(provider.resume(ledger.responses[0]?.id ?? "", carry, never));

    expect(carry?.after).toEqual(expect.any(Number));
    expect(ledger.requests[1]?.query).toEqual({ stream: "true", starting_after: String(carry?.after) });
    expect(closing(rest)).toMatchObject({ type: "upstream.completed", outcome: { text } });
    const numbers = [...progressOf(first), ...progressOf(rest)];
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a) - Number(b)));
    expect(ledger).toMatchObject({ posts: 1, resumes: 1 });
  });

  test.each(breaks)("%s needs no output at the end to be whole", async (_, cut) => {
    const { provider, ledger } = await upstream({
      output: { text, deltaChars: 3 },
      ending: { bare: true },
      ...(cut && { cut }),
    });
    const carry = carryIn(await all(provider.send(paidCall(), never)));

    const rest = await all(provider.resume(ledger.responses[0]?.id ?? "", carry, never));

    expect(textOf(closing(rest))).toBe(text);
    expect(ledger).toMatchObject({ posts: 1, resumes: 1, gets: 1 });
  });

  test("twice goes on twice", async () => {
    const { provider, ledger } = await upstream({
      output: { text },
      ending: { bare: true },
      cut: { after: { delta: 2 }, how: "reset" },
      resume: [{ cut: { after: { delta: 3 }, how: "reset" } }],
    });
    const first = carryIn(await all(provider.send(paidCall(), never)));
    const id = ledger.responses[0]?.id ?? "";

    const second = carryIn(await all(provider.resume(id, first, never)));
    const rest = await all(provider.resume(id, second, never));

    expect(second?.after).toBeGreaterThan(first?.after ?? Number.NaN);
    expect(textOf(closing(rest))).toBe(text);
  });

  test("a delta that was cut in two is whole again, surrogates included", async () => {
    const events = numbered([...answer("A🎟️B").slice(0, 3), delta("A\ud83c"), delta("\udf9f️B")]);
    const bare = {
      type: "response.completed",
      sequence_number: 5,
      response: { id: responseId, status: "completed" },
    };
    const { provider, carry } = await brokenAfter(2, events.slice(0, 4), [...events.slice(4), bare]);

    expect(textOf(closing(await all(provider.resume(responseId, carry, never))))).toBe("A🎟️B");
  });

  test("is live at its first event, and not before", async () => {
    const { provider, ledger, simulator } = await upstream({
      output: { text },
      hold: [{ delta: 4 }],
      cut: { after: { delta: 2 }, how: "reset" },
    });
    const carry = carryIn(await all(provider.send(paidCall(), never)));

    const rest = all(provider.resume(ledger.responses[0]?.id ?? "", carry, never));
    simulator.release();

    expect((await rest).map(({ type }) => type).slice(0, 2)).toEqual(["attached", "progress"]);
  });
});

describe("a stream resumed from its beginning", () => {
  test("has nothing twice, where the server numbers nothing and says nothing in full", async () => {
    const bare = { type: "response.completed", response: { id: responseId, status: "completed" } };
    const events = [...answer("One ", "two.").slice(0, -1), bare].map((event) => ({
      ...event,
      sequence_number: undefined,
    }));
    const { provider, carry } = await brokenAfter(4, events.slice(0, 4), events);

    expect(carry).toMatchObject({ after: null, chars: 4 });
    expect(textOf(closing(await all(provider.resume(responseId, carry, never))))).toBe("One two.");
  });

  test("by a process that kept nothing is heard in full", async () => {
    const { provider, ledger } = await upstream({
      output: { text },
      cut: { after: { delta: 2 }, how: "reset" },
    });
    await all(provider.send(paidCall(), never));

    const rest = await all(provider.resume(ledger.responses[0]?.id ?? "", null, never));

    expect(ledger.requests[1]?.query).toEqual({ stream: "true" });
    expect(closing(rest)).toMatchObject({
      type: "upstream.completed",
      outcome: { text, echo: { store: true, background: true } },
    });
  });

  test("starts over where the server numbers nothing", async () => {
    const { provider, ledger } = await upstream({
      output: { text },
      ending: { bare: true },
      wire: { sequenceNumbers: false },
      cut: { after: { delta: 2 }, how: "reset" },
    });
    const carry = carryIn(await all(provider.send(paidCall(), never)));

    const rest = await all(provider.resume(ledger.responses[0]?.id ?? "", carry, never));

    expect(carry?.after).toBeNull();
    expect(textOf(closing(rest))).toBe(text);
  });

  test("starts over with a carry that somebody else made", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse(answer("Whole."))));
    const foreign: Carry = { after: 3, chars: 5 };

    expect(textOf(closing(await all(providerAt(server.url).resume(responseId, foreign, never))))).toBe(
      "Whole.",
    );
  });
});

describe("a server that repeats what was heard", () => {
  test("is not listened to twice", async () => {
    const events = answer("One ", "two ", "three.").map((event) =>
      event.type === "response.completed"
        ? { ...event, response: { id: responseId, status: "completed" } }
        : event,
    );
    const { server, provider, carry } = await brokenAfter(8, events.slice(0, 5), events);

    const rest = await all(provider.resume(responseId, carry, never));

    expect(carry).toMatchObject({ after: 4, chars: 8 });
    expect(textOf(closing(rest))).toBe("One two three.");
    expect(server.seen.at(-1)).toBe(`GET /v1/responses/${responseId}?stream=true&starting_after=4`);
  });

  test("ends even where every event has the same number", async () => {
    const events = answer("One ", "two.").map((event) => ({ ...event, sequence_number: 4 }));
    const { provider, carry } = await brokenAfter(4, events.slice(0, 4), events);

    expect(textOf(closing(await all(provider.resume(responseId, carry, never))))).toBe("One two.");
  });
});

describe("a stream that cannot be resumed", () => {
  const refusals: [string, Scenario["resume"], number | undefined][] = [
    ["more than five minutes old", ["expired"], 400],
    ["not there", ["not_found"], 404],
    ["in trouble", [503], 503],
    ["reset", ["reset"], undefined],
  ];
  test.each(refusals)(
    "%s: lost, so that it is polled, with what was heard kept",
    async (_, resume, status) => {
      const { provider, ledger } = await upstream({
        output: { text: "One two three." },
        cut: { after: { delta: 2 }, how: "reset" },
        ...(resume && { resume }),
      });
      const carry = carryIn(await all(provider.send(paidCall(), never)));

      const rest = await all(provider.resume(ledger.responses[0]?.id ?? "", carry, never));

      expect(rest).toMatchObject([
        {
          type: "upstream.lost",
          cause: status === undefined ? "reset" : "stream_error",
          ...(status !== undefined && { status }),
          partial: { text: "One two" },
          carry: { after: carry?.after, chars: 7 },
        },
      ]);
      expect(ledger.posts).toBe(1);
    },
  );

  test("since nobody answers in time is lost to the first-byte limit", async () => {
    const server = await serve(() => undefined);

    const reports = await all(providerAt(server.url, { firstByteMs: 100 }).resume(responseId, null, never));

    expect(reports).toMatchObject([{ type: "upstream.lost", cause: "first_byte_timeout" }]);
  });

  test("is called off without a loss", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());

    expect(await all(providerAt(server.url).resume(responseId, null, caller.signal))).toMatchObject([
      { type: "aborted" },
    ]);
  });

  test("and is answered with the finished response instead is settled by it", async () => {
    const whole = {
      id: "resp_other",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "Whole." }] }],
    };
    const server = await serve((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole)),
    );

    expect(await all(providerAt(server.url).resume(responseId, null, never))).toMatchObject([
      { type: "upstream.completed", outcome: { responseId, text: "Whole." } },
    ]);
  });

  test("and is answered with a running one is lost", async () => {
    const server = await serve((response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ id: responseId, status: "in_progress" })),
    );

    expect(await all(providerAt(server.url).resume(responseId, null, never))).toMatchObject([
      { type: "upstream.lost", cause: "ended" },
    ]);
  });

  test("breaking off before its first event was never live", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(": nothing yet\n\n"));

    expect(await all(providerAt(server.url).resume(responseId, null, never))).toMatchObject([
      { type: "upstream.lost" },
    ]);
  });
});
