/** A disk without room: nothing is sent that could not be written down, and nothing that was paid for is lost. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { census } from "../support/database.ts";
import { outcomeOf, toolCall } from "../support/host-process.ts";
import { requestRow } from "../support/request-row.ts";
import { canMount, serverOnSmallDisk } from "../support/small-disk.ts";
import { until, world } from "../support/world.ts";

const uuid = randomUUID();

describe.runIf(canMount)("a full disk", () => {
  const size = 1_500_000;

  test("refuses what would have to be written, before anything is sent, and lets it through when there is room", async () => {
    const here = await world();
    const { server, copy, fill, free } = serverOnSmallDisk(here, size);
    await server.handshake();
    server.send(toolCall(1, "chat", { message: "Before." }));
    expect(outcomeOf(await server.reply(1))).toMatchObject({ status: "completed" });
    const before = census(copy());
    fill();
    // What fits into space that the files already hold is written all the same; a message's room is not among it.
    const instructions = "long ".repeat(40_000);

    server.send(toolCall(2, "chat", { message: "No room.", instructions, request_id: uuid }));
    const told = outcomeOf(await server.reply(2));

    expect(told).toMatchObject({ status: "error", code: "storage_full", request_id: uuid });
    expect(told["message"]).toMatch(/full.*nothing was written.*Free/s);
    expect(here.sim.ledger.attempts).toBe(1);
    expect(census(copy())).toEqual(before);
    server.send(toolCall(3, "answers", { action: "inbox" }));
    expect(outcomeOf(await server.reply(3))).toMatchObject({ status: "ok" });

    free();
    server.send(toolCall(4, "chat", { message: "No room.", instructions, request_id: uuid }));
    expect(outcomeOf(await server.reply(4))).toMatchObject({ status: "completed", request_id: uuid });
    expect(here.sim.ledger.posts).toBe(2);
  });

  test("that fills up under a request loses no answer: it is there when there is room again, paid once", async () => {
    const here = await world();
    const { server, copy, fill, free } = serverOnSmallDisk(here, size, { CLAIMCHECK_LEASE_MS: "1000" });
    const text = "an answer that takes room ".repeat(8_000);
    here.sim.script({ scenario: { output: { text, deltaChars: 20_000 }, hold: ["before_terminal"] } });
    await server.handshake();
    server.send(toolCall(1, "chat", { message: "Write.", request_id: uuid, wait_ms: 0 }));
    await server.reply(1);
    await until("it is streaming", () => requestRow(copy(), uuid)?.state === "streaming");
    await until("it is held", () => here.sim.ledger.holding === 1);
    fill();
    here.sim.release();

    server.send(toolCall(2, "answers", { action: "wait", request_id: uuid, wait_ms: 2_500 }));
    const meanwhile = outcomeOf(await server.reply(2));
    expect(meanwhile["status"]).not.toBe("completed");
    expect(requestRow(copy(), uuid)).toMatchObject({ finished: 0, outcome: null });

    free();
    server.send(toolCall(3, "answers", { action: "wait", request_id: uuid, wait_ms: 15_000 }));
    expect(outcomeOf(await server.reply(3))).toMatchObject({ status: "completed", total_chars: text.length });
    expect(here.sim.ledger.posts).toBe(1);
  }, 30_000);
});
