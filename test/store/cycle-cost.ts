/**
 * What durability costs: one request's whole life, which is three commits, beside three bare fdatasyncs of
 * 4 KiB, one before each commit. Run with `npx tsx test/store/cycle-cost.ts`; read the ratio, not the times.
 */
import { randomUUID } from "node:crypto";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { aClaim, accepted, anAnswer, completed, step, written } from "./life.ts";

const rounds = Number(process.argv[2] ?? 2_000);
const folder = mkdtempSync(join(tmpdir(), "claimcheck-cost-"));
const file = join(folder, "data", "claimcheck.db");
const bare = openSync(join(folder, "bare"), "w");
const page = Buffer.alloc(4096, 7);
const roomy = { live: 10, sessions: 1e6, requests: 1e6, contentBytes: 2 ** 40 };

const beforeOpen = performance.now();
const store = await openSqliteStore({ file });
const created = performance.now() - beforeOpen;

/** One life and the syncs before each of its commits, in milliseconds. */
async function life(): Promise<{ commits: number; syncs: number }> {
  const spent = { commits: 0, syncs: 0 };
  async function timed<T>(write: () => Promise<T>): Promise<T> {
    spent.syncs += sync();
    const started = performance.now();
    const outcome = await write();
    spent.commits += performance.now() - started;
    return outcome;
  }
  const claim = aClaim({ limits: roomy });
  const responseId = `resp_${randomUUID()}`;
  const first = await timed(() => store.claim(claim));
  if (first.kind !== "claimed") throw new Error(first.kind);
  const streaming = step(first.record, accepted(responseId));
  const second = written(await timed(() => store.commit(streaming)));
  const answer = step(second, completed(anAnswer(responseId, "x".repeat(2_000))));
  written(await timed(() => store.commit(answer)));
  return spent;
}

function sync(): number {
  const started = performance.now();
  writeSync(bare, page, 0, page.length, 0);
  fdatasyncSync(bare);
  return performance.now() - started;
}

function at(share: number, times: number[]): number {
  return (times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0) * 1_000;
}

for (let round = 0; round < 50; round += 1) await life();
const lives: number[] = [];
const floors: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const { commits, syncs } = await life();
  lives.push(commits);
  floors.push(syncs);
}
const wal = await timeOpen();
await store.close();
const cold = await timeOpen();
closeSync(bare);
rmSync(folder, { recursive: true });

async function timeOpen(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const started = performance.now();
    const again = await openSqliteStore({ file });
    times.push(performance.now() - started);
    await again.close();
  }
  return at(0.5, times);
}

const [life50, life99, floor50, floor99] = [
  at(0.5, lives),
  at(0.99, lives),
  at(0.5, floors),
  at(0.99, floors),
];
console.log(`claim + accept + answer   p50 ${life50.toFixed(0)} µs   p99 ${life99.toFixed(0)} µs`);
console.log(`three fdatasyncs of 4 KiB p50 ${floor50.toFixed(0)} µs   p99 ${floor99.toFixed(0)} µs`);
console.log(`ratio of p50              ${(life50 / floor50).toFixed(2)}`);
console.log(
  `create ${created.toFixed(1)} ms · open beside another ${(wal / 1_000).toFixed(2)} ms · open alone ${(cold / 1_000).toFixed(2)} ms`,
);
