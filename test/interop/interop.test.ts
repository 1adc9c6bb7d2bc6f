/** Whichever client a host embeds: it gets through every step, and has its answer even after the server was killed. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { refusal, said } from "../support/said.ts";
import { world } from "../support/world.ts";
import { clientKinds, connect } from "./clients.ts";
import { expectCollected, held } from "./held.ts";
import "./cell.ts";
import { stepNames, steps } from "./steps.ts";

describe.each(clientKinds)("a %s", (client) => {
  for (const step of stepNames) {
    const { promise, take } = steps[step];
    test(`${step}: ${promise}`, async ({ task }) => {
      const ms = await take(await world(), client);
      task.meta.cell = { client, step, ms };
    });
  }

  test("is told what is wrong with a call in a result, not in an exception", async () => {
    const here = await world();
    const { call, toolNames } = await connect(client, here);
    await toolNames();

    const wrong = refusal(await call("chat", { message: "Hi.", modle: "x" }), "invalid_arguments");
    expect(wrong["message"]).toContain("modle");
    refusal(await call("answers", { action: "wait", request_id: randomUUID() }), "unknown_request");
    here.sim.script({ scenario: "unsupported_parameter" });
    const failed = await call("chat", { message: "Hi." });
    expect(failed.isError).toBe(true);
    expect(said(failed)).toMatchObject({ status: "failed", failure: { upstream_param: "temperature" } });
    expect(here.sim.ledger.posts).toBe(0);
  });

  test.each(clientKinds.filter((kind) => kind !== client))(
    "whose server was killed in the middle of a call has its answer from a %s",
    async (next) => {
      const here = await world();
      const { client: killed, id, call } = await held(here, client);

      process.kill(killed.pid, "SIGKILL");
      await expect(call).rejects.toThrow();
      here.sim.release();

      await expectCollected(here, next, id);
    },
  );
});
