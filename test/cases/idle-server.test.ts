/** A server that nobody asks anything costs its host next to nothing, whatever state it is in. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Hosted, hostedServer, outcomeOf, processorMs, toolCall } from "../support/host-process.ts";
import { temporaryDirectory, until, type World, world } from "../support/world.ts";

/** What each is brought to, and whether a host can still hear it there. */
const states: [string, (server: Hosted, here: World) => Promise<void> | void, "heard" | "unheard"][] = [
  ["fresh", () => undefined, "heard"],
  ["having answered", (server) => asked(server, "done"), "heard"],
  ["waiting for an answer", (server, here) => holding(server, here), "heard"],
  ["with half a line heard", ({ child }) => void child.stdin?.write('{"jsonrpc":"2.0","id":5,'), "unheard"],
  ["with its standard error closed", ({ child }) => void child.stderr?.destroy(), "heard"],
  ["with its output closed", ({ child }) => void child.stdout?.destroy(), "unheard"],
  [
    "with both closed",
    ({ child }) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    "unheard",
  ],
];

async function asked(server: Hosted, message: string): Promise<void> {
  server.send(toolCall(1, "chat", { message }));
  await server.reply(1);
}

async function holding(server: Hosted, here: World): Promise<void> {
  here.sim.script({ match: { message: "held" }, scenario: "hold_mid_text" });
  server.send(toolCall(1, "chat", { message: "held" }));
  await until("one is held", () => here.sim.ledger.holding === 1);
}

test.runIf(process.platform === "linux")(
  "C37: left alone a server stays, and does next to nothing, whatever it is at",
  async () => {
    const here = await world();
    const occupied = join(temporaryDirectory(), "file");
    writeFileSync(occupied, "in the way");
    const storeless = hostedServer(here, { CLAIMCHECK_DATA_DIR: occupied });
    await storeless.handshake();
    await asked(storeless, "nowhere to keep it");
    const all = [{ name: "without storage", server: storeless, heard: true }];
    for (const [name, bring, hearing] of states) {
      const server = hostedServer(here);
      await server.handshake();
      await bring(server, here);
      all.push({ name, server, heard: hearing === "heard" });
    }
    const used = () => all.map(({ server }) => processorMs(server.child.pid ?? 0));
    // Only time itself can show that nothing is done in it; the first second still has starting up in it.
    await pass(1_000);

    const before = used();
    await pass(3_000);
    const after = used();

    for (const [index, { name, server, heard }] of all.entries()) {
      expect.soft((after[index] ?? 0) - (before[index] ?? 0), name).toBeLessThan(150);
      expect.soft([server.child.exitCode, server.child.signalCode], name).toEqual([null, null]);
      if (!heard) continue;
      server.send({ id: 9, method: "ping" });
      expect(await server.reply(9), name).toMatchObject({ result: {} });
    }
    here.sim.release();
    const waiting = all.find(({ name }) => name === "waiting for an answer");
    expect(outcomeOf((await waiting?.server.reply(1)) ?? {})).toMatchObject({ status: "completed" });
  },
  40_000,
);

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
