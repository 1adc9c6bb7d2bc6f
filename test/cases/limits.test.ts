/** A limit that is reached is said by name before anything is sent, with what makes room. */
import { describe, expect, test } from "vitest";
import { census } from "../support/database.ts";
import { refusal, said, stepIn } from "../support/said.ts";
import type { StdioServer } from "../support/stdio.ts";
import { until, world } from "../support/world.ts";

describe("limits that are reached", () => {
  /** Two finished sessions, and a call that is one too many. */
  const limits: [string, Record<string, string>, string][] = [
    ["too_many_sessions", { CLAIMCHECK_MAX_SESSIONS: "2" }, "CLAIMCHECK_MAX_SESSIONS"],
    ["too_many_requests", { CLAIMCHECK_MAX_REQUESTS: "2" }, "CLAIMCHECK_MAX_REQUESTS"],
    [
      "content_full",
      { CLAIMCHECK_MAX_CONTENT_BYTES: "1048576", CLAIMCHECK_MAX_RESULT_BYTES: "1048000" },
      "CLAIMCHECK_MAX_CONTENT_BYTES",
    ],
  ];

  test.each(limits)("%s: nothing is sent, and what frees room does", async (code, env, variable) => {
    const here = await world();
    const server = await here.server({ env });
    const sessions = await fill(server, code === "content_full" ? 1 : 2);
    const before = census(here.dataDir);
    const posts = here.sim.ledger.posts;

    const told = refusal(await server.call("chat", { message: "One too many." }), code);

    expect(told["message"]).toContain(variable);
    expect(census(here.dataDir)).toEqual(before);
    expect(here.sim.ledger.attempts).toBe(posts);
    expect(stepIn(told["next"])).toEqual({ tool: "sessions", args: { operation: "list" } });
    for (const session_id of sessions) await server.call("sessions", { operation: "delete", session_id });
    expect(said(await server.call("chat", { message: "One too many." }))).toMatchObject({
      status: "completed",
    });
  });

  async function fill(server: StdioServer, count: number) {
    const ids: unknown[] = [];
    for (let index = 0; index < count; index += 1) {
      ids.push(
        said(await server.call("chat", { message: `Answer ${"at length ".repeat(60)} ${index}` }))[
          "session_id"
        ],
      );
    }
    return ids;
  }

  test("too_many_live: the holders are named, and the call goes through when one has ended", async () => {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_MAX_LIVE: "1" } });
    here.sim.script({ match: { message: "Held" }, scenario: "hold_mid_text" });
    const held = said(await server.call("chat", { message: "Held.", wait_ms: 0 }));
    await until("it is held", () => here.sim.ledger.holding === 1);
    const { requests, sessions } = census(here.dataDir);

    const told = refusal(await server.call("chat", { message: "Next.", wait_ms: 300 }), "too_many_live");

    expect(told).toMatchObject({ details: { requests: [held["request_id"]] } });
    expect(stepIn(told["next"]).args).toEqual({ action: "wait", request_id: held["request_id"] });
    expect(census(here.dataDir)).toMatchObject({ requests, sessions });
    expect(here.sim.ledger.attempts).toBe(1);
    const waiting = server.call("chat", { message: "Next.", wait_ms: 10_000 });
    here.sim.release();
    expect(said(await waiting)).toMatchObject({ status: "completed", text: "You said: Next." });
    expect(here.sim.ledger.posts).toBe(2);
  });
});
