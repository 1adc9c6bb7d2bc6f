/** Streams that break off, stall or lie, and what is still known then. */
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { Scenario, ScenarioName } from "../../src/simulator/simulator.ts";
import { eventStream, sayAndHold, sayJson, serve } from "./support/byte-server.ts";
import {
  answer,
  created,
  delta,
  inProgress,
  itemAdded,
  message,
  numbered,
  responseId,
  sse,
} from "./support/events.ts";
import { all, closing, never, paidCall, providerAt, textOf, upstream } from "./support/provider.ts";

describe("a stream without its terminal event is lost, never completed", () => {
  const losses: [ScenarioName, string][] = [
    ["eof_without_terminal", "ended"],
    ["eof_after_created", "ended"],
    ["reset_after_first_event", "reset"],
    ["reset_mid_text", "reset"],
    ["fin_mid_text", "reset"],
    ["fin_after_last_delta", "reset"],
    ["fin_inside_character", "reset"],
    ["reset_before_terminal", "reset"],
    ["oversized_event", "oversized"],
    ["bad_json", "malformed"],
  ];
  test.each(losses)("%s", async (scenario, cause) => {
    const { provider, ledger } = await upstream(scenario, {
      limits: { textBytes: 10_000, eventBytes: 1024 * 1024 },
    });

    const reports = await all(provider.send(paidCall(), never));

    const [response] = ledger.responses;
    expect(reports[0]).toMatchObject({ type: "upstream.accepted", responseId: response?.id });
    expect(closing(reports)).toMatchObject({
      type: "upstream.lost",
      cause,
      upstreamRequestId: expect.any(String),
      partial: { responseId: response?.id, reason: null },
      carry: { after: expect.any(Number), chars: expect.any(Number) },
    });
    expect(ledger).toMatchObject({ attempts: 1, posts: 1, gets: 0 });
  });

  test.each(["stall_after_created", "stall_mid_text"] as const)(
    "%s, once the idle limit is over",
    async (name) => {
      const { provider } = await upstream(name, { idleMs: 150 });

      expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
        type: "upstream.lost",
        cause: "idle",
      });
    },
  );

  test("reset before its first event, of which nobody knows more", async () => {
    const { provider } = await upstream({ cut: { after: { event: 0 }, how: "reset" } });

    expect(await all(provider.send(paidCall(), never))).toMatchObject([
      { type: "upstream.lost", cause: "reset", partial: null, carry: null },
    ]);
  });

  test("[DONE] is no terminal event", async () => {
    const server = await serve((response) =>
      response.writeHead(200, eventStream).end(`${sse([created(), delta("Hi")])}data: [DONE]\n\n`),
    );

    expect(closing(await all(providerAt(server.url).send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "ended",
    });
  });

  test("an event that is half there at a clean end is an end, not nonsense", async () => {
    const half = sse([created()]) + sse([delta("Hello")]).slice(0, -20);
    const server = await serve((response) => response.writeHead(200, eventStream).end(half));

    expect(closing(await all(providerAt(server.url).send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "ended",
    });
  });

  test("the text so far and the place in the stream are handed back", async () => {
    const { provider } = await upstream({
      output: { text: "One two three." },
      cut: { after: { delta: 2 }, how: "fin" },
    });

    const report = closing(await all(provider.send(paidCall(), never)));

    expect(report).toMatchObject({ partial: { text: "One two" }, carry: { chars: 7 } });
  });
});

describe("signs of life", () => {
  test("comments alone keep a stream from being idle", async () => {
    const server = await serve(async (response) => {
      response.writeHead(200, eventStream);
      response.write(sse([created()]));
      for (let beat = 0; beat < 8; beat += 1) {
        await new Promise((later) => setTimeout(later, 100));
        response.write(": still here\n\n");
      }
      response.end(sse(answer("At last.").slice(1)));
    });

    const reports = await all(providerAt(server.url, { idleMs: 600 }).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.completed", outcome: { text: "At last." } });
  });

  test("so do bytes that are still inside an event", async () => {
    const bytes = Buffer.from(sse(answer("Slow.")));
    const server = await serve(async (response) => {
      response.writeHead(200, eventStream);
      const step = Math.ceil(bytes.length / 8);
      for (let at = 0; at < bytes.length; at += step) {
        response.write(bytes.subarray(at, at + step));
        await new Promise((later) => setTimeout(later, 100));
      }
      response.end();
    });

    const reports = await all(providerAt(server.url, { idleMs: 600 }).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.completed", outcome: { text: "Slow." } });
  });
});

describe("an error inside the stream", () => {
  const failing: [string, ScenarioName | Scenario][] = [
    ["flat, then nothing", "error_event_flat"],
    ["without its event line", "error_event_unnamed"],
    ["nested, then nothing", "error_event_nested"],
  ];
  test.each(failing)("%s: the response is asked for, and failed", async (_, scenario) => {
    const { provider, ledger } = await upstream(scenario);

    const reports = await all(provider.send(paidCall(), never));

    expect(closing(reports)).toMatchObject({
      type: "upstream.failed",
      failure: { code: "upstream_failed", upstreamCode: "server_error" },
    });
    expect(ledger).toMatchObject({ posts: 1, gets: 1 });
  });

  test("nested, then response.failed: the verdict is heard, and nothing need be asked", async () => {
    const { provider, ledger } = await upstream("error_event_then_failed");

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.failed",
      failure: { code: "upstream_failed", upstreamCode: "insufficient_quota" },
    });
    expect(ledger).toMatchObject({ posts: 1, gets: 0 });
  });

  test("on an answer that upstream completed all the same", async () => {
    const { provider, ledger } = await upstream("error_event_yet_completed");

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
    });
    expect(ledger).toMatchObject({ posts: 1, gets: 1 });
  });

  test("that cannot be confirmed is a loss; the response is asked for three times at most", async () => {
    const { provider, ledger } = await upstream({
      ending: { status: "failed", errorEvent: "flat", terminalEvent: false },
      retrieve: [503, "in_progress", "not_found"],
    });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "stream_error",
      carry: expect.anything(),
    });
    expect(ledger).toMatchObject({ posts: 1, gets: 3 });
  });

  test("of a response that upstream keeps nowhere is not asked about", async () => {
    const { provider, ledger } = await upstream({
      treatAs: { store: false, background: false },
      ending: { status: "failed", errorEvent: "nested", terminalEvent: false },
    });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "stream_error",
    });
    expect(ledger.gets).toBe(0);
  });

  test("with the socket kept open after it does not wait for the idle limit", async () => {
    const events = [created({ store: false, background: false }), { type: "error", code: "server_error" }];
    const server = await serve(sayAndHold(sse(events), sayJson({}, 404)).reply);
    const provider = providerAt(server.url, { idleMs: 60_000 });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "stream_error",
    });
  });

  test("before there was a response is a loss of which nobody knows more", async () => {
    const server = await serve((response) =>
      response
        .writeHead(200, eventStream)
        .end(sse([{ type: "error", error: { code: "rate_limit_exceeded" } }])),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(reports).toMatchObject([
      { type: "upstream.lost", cause: "stream_error", partial: null, carry: null },
    ]);
    expect(server.seen).toEqual(["POST /v1/responses"]);
  });
});

describe("the end", () => {
  test("is the terminal event, not the end of the connection", async () => {
    const { provider } = await upstream("kept_open", { idleMs: 60_000 });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
    });
  });

  test("lets go of a connection that upstream would keep", async () => {
    const { provider, ledger } = await upstream("kept_open");

    await all(provider.send(paidCall(), never));

    await expect.poll(() => ledger.requests[0]?.ended).toBe("left");
  });

  test("leaves nothing behind on the caller's signal", async () => {
    const { provider, ledger } = await upstream();
    const caller = new AbortController();

    await all(provider.send(paidCall(), caller.signal));
    await provider.retrieve(ledger.responses[0]?.id ?? "", caller.signal);

    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });

  test("lets go as well where the reader stops reading", async () => {
    const { provider, ledger, simulator } = await upstream("hold_mid_text");

    for await (const report of provider.send(paidCall(), never)) if (report.type === "progress") break;

    await expect.poll(() => ledger.requests[0]?.ended).toBe("left");
    simulator.release();
  });

  test("is what the status inside says, whatever the event is called", async () => {
    const { provider } = await upstream("completed_but_incomplete");

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.incomplete",
      outcome: { reason: "max_output_tokens" },
    });
  });

  test("cancelled at once was accepted first: the request has to be known before it can be cancelled", async () => {
    const ended = { type: "response.cancelled", response: { id: responseId, status: "cancelled" } };
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse([ended])));

    expect(await all(providerAt(server.url).send(paidCall(), never))).toMatchObject([
      { type: "upstream.accepted", responseId },
      { type: "upstream.cancelled", outcome: { responseId, reason: "cancelled" } },
    ]);
  });

  test("cancelled later was accepted once", async () => {
    const ended = { type: "response.cancelled", response: { id: responseId, status: "cancelled" } };
    const events = sse([created(), delta("So far"), ended]);
    const server = await serve((response) => response.writeHead(200, eventStream).end(events));

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(reports.filter(({ type }) => type === "upstream.accepted")).toHaveLength(1);
    expect(closing(reports)).toMatchObject({ type: "upstream.cancelled", outcome: { text: "So far" } });
  });

  test("without an output is put together from what was heard", async () => {
    const { provider, ledger } = await upstream({
      output: { text: "One two three." },
      ending: { bare: true },
    });

    expect(textOf(closing(await all(provider.send(paidCall(), never))))).toBe("One two three.");
    expect(ledger.gets).toBe(0);
  });

  test("without an output, after events that were never heard, is asked for", async () => {
    const server = await serve((response, request) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "application/json" });
        return response.end(
          JSON.stringify({
            id: responseId,
            status: "completed",
            output: [message({ type: "output_text", text: "All of it." })],
          }),
        );
      }
      const bare = { type: "response.completed", response: { id: responseId, status: "completed" } };
      const events = numbered([
        created(),
        inProgress(),
        itemAdded(0, message()),
        delta("All "),
        delta("of it."),
        bare,
      ]);
      return response.writeHead(200, eventStream).end(sse(events.toSpliced(3, 1)));
    });

    expect(textOf(closing(await all(providerAt(server.url).send(paidCall(), never))))).toBe("All of it.");
  });
});

describe("called off", () => {
  test("the partial answer is kept, as cancelled", async () => {
    const { provider, ledger, simulator } = await upstream({
      output: { text: "One two three." },
      hold: [{ delta: 2 }],
    });
    const caller = new AbortController();
    const reports = [];

    for await (const report of provider.send(paidCall(), caller.signal)) {
      reports.push(report);
      if (report.type === "progress" && report.chars === 7) caller.abort();
    }

    expect(closing(reports)).toMatchObject({
      type: "aborted",
      partial: { responseId: ledger.responses[0]?.id, text: "One two", reason: "cancelled" },
      carry: { after: expect.any(Number), chars: 7 },
    });
    simulator.release();
  });

  test("an end that had already arrived wins", async () => {
    const server = await serve((response) => response.writeHead(200, eventStream).end(sse(answer("Done."))));
    const caller = new AbortController();
    const reports = [];

    for await (const report of providerAt(server.url).send(paidCall(), caller.signal)) {
      reports.push(report);
      if (report.type === "progress" && report.chars === 5) caller.abort();
    }

    expect(closing(reports)).toMatchObject({ type: "upstream.completed", outcome: { text: "Done." } });
  });
});

describe("unusual but right", () => {
  const names: ScenarioName[] = [
    "burst",
    "gzip",
    "crlf",
    "cr",
    "bom",
    "comments",
    "id_and_retry",
    "no_final_blank_line",
    "no_event_lines",
    "done_marker",
    "keepalive",
    "unknown_events",
    "no_sequence_numbers",
  ];
  test.each(names)("%s changes nothing", async (name) => {
    const { provider, ledger } = await upstream(name);

    const reports = await all(provider.send(paidCall({ message: "one two" }), never));

    expect(closing(reports)).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "You said: one two" },
    });
    expect(ledger).toMatchObject({ posts: 1, gets: 0 });
  });

  test("single bytes change nothing", async () => {
    const { provider } = await upstream("single_bytes");

    expect(textOf(closing(await all(provider.send(paidCall(), never))))).toContain("🎟️");
  });

  test("of ids that change in every event the first one counts", async () => {
    const { provider, ledger } = await upstream("rotating_ids");

    const reports = await all(provider.send(paidCall(), never));

    expect(reports[0]).toMatchObject({ responseId: ledger.responses[0]?.id });
    expect(closing(reports)).toMatchObject({ outcome: { responseId: ledger.responses[0]?.id } });
  });
});
