/** Asking upstream to stop. Whatever it answers, what counts is the state the response is in. */
import { describe, expect, test } from "vitest";
import { sayJson, serve } from "./support/byte-server.ts";
import { message, response, responseId, textPart } from "./support/events.ts";
import { all, never, paidCall, providerAt, upstream } from "./support/provider.ts";

describe("a background response", () => {
  test("is cancelled in one asking", async () => {
    const { provider, simulator, ledger } = await upstream("hold_mid_text");
    const reports = provider.send(paidCall(), never)[Symbol.asyncIterator]();
    await reports.next();

    expect(await provider.cancel(ledger.responses[0]?.id ?? "", never)).toMatchObject({
      type: "upstream.cancelled",
      outcome: { reason: "cancelled" },
    });
    expect(ledger).toMatchObject({ posts: 1, cancels: 1, gets: 0 });
    await reports.return?.(undefined);
    simulator.release();
  });

  test("that is finished keeps its answer", async () => {
    const { provider, ledger } = await upstream({ output: { text: "Too late." } });
    await all(provider.send(paidCall(), never));

    expect(await provider.cancel(ledger.responses[0]?.id ?? "", never)).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Too late." },
    });
    expect(ledger.cancels).toBe(1);
  });
});

describe("a cancellation upstream", () => {
  test.each([400, 404, 409])("refused with %i has the state read", async (status) => {
    const done = response("completed", { output: [message(textPart("Done."))] });
    const server = await serve((reply, request) =>
      request.method === "POST"
        ? sayJson({ error: { code: "x" } }, status)(reply, request)
        : sayJson(done)(reply, request),
    );

    expect(await providerAt(server.url).cancel(responseId, never)).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Done." },
    });
    expect(server.seen).toEqual([
      `POST /v1/responses/${responseId}/cancel`,
      `GET /v1/responses/${responseId}`,
    ]);
  });

  test("done without a word has the state read", async () => {
    const server = await serve((reply, request) =>
      request.method === "POST" ? reply.writeHead(204).end() : sayJson(response("cancelled"))(reply, request),
    );

    expect(await providerAt(server.url).cancel(responseId, never)).toMatchObject({
      type: "upstream.cancelled",
    });
  });

  test("that knows no such response is missing", async () => {
    const { provider, ledger } = await upstream();

    expect(await provider.cancel("resp_nowhere", never)).toEqual({ type: "retrieval.missing" });
    expect(ledger).toMatchObject({ cancels: 1, gets: 1 });
  });

  test("failing is a fault, so that it can be asked again", async () => {
    const { provider, simulator, ledger } = await upstream("cancel_fails_once");
    const reports = provider.send(paidCall(), never)[Symbol.asyncIterator]();
    await reports.next();
    const id = ledger.responses[0]?.id ?? "";

    expect(await provider.cancel(id, never)).toMatchObject({
      type: "retrieval.faulted",
      failure: { code: "upstream_unavailable", status: 500 },
    });
    expect(await provider.cancel(id, never)).toMatchObject({ type: "upstream.cancelled" });
    await reports.return?.(undefined);
    simulator.release();
  });

  test("still going on is pending", async () => {
    const server = await serve(sayJson(response("in_progress")));

    expect(await providerAt(server.url).cancel(responseId, never)).toMatchObject({
      type: "retrieval.pending",
      status: "in_progress",
    });
  });
});
