/**
 * Kills real servers at random moments, over and over, and then asks for every answer. Holds when no request was
 * paid for twice, every request stands in a state the table allows, every answer whose response id is known was
 * collected, and the database is whole. Prints what it did; exits with 1 where anything of this does not hold.
 *
 * `--kills N` (default 200), `--seed N` to repeat the moments of a run.
 */
import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { type StdioServer, startServer } from "../support/stdio.ts";
import { inspectDatabase } from "./database.ts";
import { createDice } from "./dice.ts";
import { tally } from "./tally.ts";

const { values } = parseArgs({ options: { kills: { type: "string" }, seed: { type: "string" } } });
const wantedKills = Number(values.kills ?? 200);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const lanes = 2;
const callsPerLife = 3;
/** Long enough for a server to be anywhere between its first byte and its last commit. */
const longestLifeMs = 220;

const directory = mkdtempSync(join(tmpdir(), "claimcheck-kill-"));
const simulator = await startSimulator({ chunkMs: 2 });
simulator.script({ scenario: { pace: { headersMs: 8, firstEventMs: 4 } } });
const asked: string[] = [];
/** Every call here is answered, unless the kill fell between the call and its first byte of reply. */
const settledStates = new Set(["completed", "unknown_outcome"]);
let kills = 0;

try {
  console.log(`${wantedKills} kills in ${lanes} lanes on one database; --seed ${seed} repeats the moments`);
  await Promise.all(Array.from({ length: lanes }, (_, lane) => live(lane)));
  const states = await collectAll();
  report(states);
} finally {
  await simulator.close();
  rmSync(directory, { recursive: true, force: true });
}

/** One lane: start a server, ask, kill it at a random moment, start again. */
async function live(lane: number) {
  const dice = createDice(seed + lane);
  while (kills < wantedKills) {
    const server = await start();
    for (let i = 0; i < callsPerLife; i += 1) {
      const id = randomUUID();
      asked.push(id);
      server.begin("tools/call", { name: "chat", arguments: callFor(id) }).reply.catch(() => undefined);
    }
    await delay(dice.below(longestLifeMs));
    await server.kill();
    kills += 1;
  }
}

function start(): Promise<StdioServer> {
  return startServer({
    upstream: simulator.url,
    dataDir: directory,
    env: {
      CLAIMCHECK_MAX_LIVE: "64",
      CLAIMCHECK_MAX_CONTENT_BYTES: String(2 ** 31),
      CLAIMCHECK_LOG_LEVEL: "silent",
    },
  });
}

function callFor(id: string) {
  return { message: `question ${id}`, request_id: id, wait_ms: 20_000 };
}

/** Every question is asked again as its host would: the same id, the same arguments. */
async function collectAll(): Promise<Map<string, string>> {
  const server = await start();
  const states = new Map<string, string>();
  const queue = [...asked];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        const { structured } = await server.call("chat", callFor(id));
        states.set(id, String(structured["status"] === "error" ? structured["code"] : structured["status"]));
      }
    }),
  );
  await server.close();
  return states;
}

function report(states: Map<string, string>) {
  const posts = asked.map((id) => simulator.ledger.postsFor(id));
  const database = inspectDatabase(join(directory, "claimcheck.db"));
  const faults = [
    ...asked
      .filter((id) => simulator.ledger.postsFor(id) > 1)
      .map((id) => `${id} was paid for more than once`),
    ...[...states]
      .filter(([, state]) => !settledStates.has(state))
      .map(([id, state]) => `${id} ended ${state}`),
    ...database.knownIds
      .filter((id) => states.get(id) !== "completed")
      .map((id) => `${id} has a response id and no answer`),
    ...database.faults,
  ];
  console.log(`\nkills                ${kills}`);
  console.log(`requests             ${asked.length}`);
  for (const [count, times] of tally(posts)) console.log(`requests with ${count} POSTs ${times}`);
  for (const [state, times] of tally([...states.values()])) console.log(`ended ${state.padEnd(15)}${times}`);
  console.log(`integrity_check      ${database.integrity}`);
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`);
  console.log(`\n${asked.length - faults.length} passed, ${faults.length} failed`);
  process.exitCode = faults.length === 0 && kills >= wantedKills && asked.length >= 2 * wantedKills ? 0 : 1;
}
