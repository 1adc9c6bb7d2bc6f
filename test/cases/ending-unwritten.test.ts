/** A server that must go and cannot write down how things stand: it goes in time, and nothing is lost for that. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { hold } from "../support/database.ts";
import { hostedServer, toolCall } from "../support/host-process.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { until, world } from "../support/world.ts";

const moments: [ScenarioName, string][] = [
  ["hold_mid_text", "streaming"],
  ["no_headers", "claimed"],
];

for (const way of ["EOF", "SIGTERM"]) {
  test.each(moments)(
    `C37: at ${way} while another holds the database it is gone within 2 s, and the next one settles %s`,
    async (scenario, state) => {
      const here = await world();
      const id = randomUUID();
      here.sim.script({ scenario });
      const server = hostedServer(here);
      await server.handshake();
      server.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
      await until("it is being answered", () => here.sim.ledger.holding === 1);
      await untilRow(here.dataDir, id, `is ${state}`, (row) => row.state === state);
      const release = hold(here.dataDir);

      const since = performance.now();
      if (way === "EOF") server.child.stdin?.end();
      else server.child.kill("SIGTERM");

      const { code, ms } = await server.ended(since);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(2_000);
      expect(requestRow(here.dataDir, id)).toMatchObject({ state });
      release();
      here.sim.release();
      const next = await here.server();
      const settled = said(await next.call("answers", { action: "wait", request_id: id }));
      expect(settled["status"]).toBe(state === "streaming" ? "completed" : "unknown_outcome");
      expect(here.sim.ledger.posts).toBe(1);
    },
  );
}
