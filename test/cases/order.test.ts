/** Write before act, as the kernel sees it: nothing leaves the process before what it rests on is on disk. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Debt, messages, straceInto, whyNoTrace } from "../support/strace.ts";
import { type Told, tell } from "../support/told.ts";
import { temporaryDirectory, world } from "../support/world.ts";

const reason = whyNoTrace();
const skipped = reason === null ? "" : ` (SKIPPED: ${reason})`;

const paid = (requestId: string): Debt => ({
  token: requestId,
  isMessage: (data) => data.includes("POST /v1/responses HTTP/1.1"),
});
const told = (token: string): Debt => ({ token, isMessage: (data) => /^\(1</.test(data) });

describe("order of write and effect", () => {
  test.skipIf(reason !== null)(
    `the claim is on disk before the call leaves, the answer and its id before the caller hears of them${skipped}`,
    async () => {
      const { sim, server } = await world();
      const file = join(temporaryDirectory(), "trace");
      const host = await server({ under: straceInto(file) });
      const ask = (message: string, more: object = {}) =>
        tell(host, "chat", { message, request_id: randomUUID(), ...more });
      const first = await ask("First of all");
      const answers: [message: string, Told][] = [
        ["First of all", first],
        ["And then", await ask("And then", { session_id: first["session_id"] })],
        ["Foreground", await ask("Foreground", { background: false })],
      ];
      const crowd = ["Left", "Right", "Centre"];
      const crowded = await Promise.all(crowd.map((message) => ask(message)));
      answers.push(...crowded.map((answer, at): [string, Told] => [String(crowd[at]), answer]));
      await host.close();

      const trace = readFileSync(file, "latin1");

      expect(answers.map(([, { status }]) => status)).toEqual(answers.map(() => "completed"));
      expect(sim.ledger.posts).toBe(answers.length);
      const calls = answers.map(([, answer]) => paid(String(answer["request_id"])));
      const words = answers.flatMap(([message, answer]) => [
        told(String(answer["response_id"])),
        told(`You said: ${message}`),
      ]);
      const debts = [...calls, ...words];
      expect(messages(trace, debts)).toEqual(debts.map(({ token }) => ({ token, left: 1, early: 0 })));
      expectSeenWithoutItsSyncs(trace, debts);
    },
    60_000,
  );

  /** The same trace, had nothing been synced, or only once all was over. */
  function expectSeenWithoutItsSyncs(trace: string, debts: Debt[]) {
    const lines = trace.split("\n");
    const syncs = lines.filter((line) => /-wal>\)|f(data)?sync resumed>/.test(line));
    const others = lines.filter((line) => !syncs.includes(line));
    const all = debts.map(({ token }) => ({ token, left: 1, early: 1 }));
    expect(messages(others.join("\n"), debts)).toEqual(all);
    expect(messages([...others, ...syncs].join("\n"), debts)).toEqual(all);
  }

  const id = "11111111-2222-4333-8444-555555555555";
  const log = `7 pwrite64(20</data/claimcheck.db-wal>, "\\0\\0${id}\\0", 4096, 56) = 4096`;
  const sync = "7 fdatasync(20</data/claimcheck.db-wal>) = 0";
  const post = `7 write(24<socket:[9]>, "POST /v1/responses HTTP/1.1\\r\\nx-client-request-id: ${id}\\r\\n", 90) = 90`;
  const orders: [string, string[], early: number][] = [
    ["logged, synced, sent", [log, sync, post], 0],
    [
      "sent by writev after a sync that another thread interrupted",
      [
        log,
        "7 fdatasync(20</data/claimcheck.db-wal> <unfinished ...>",
        '8 write(9<pipe:[1]>, "x", 1) = 1',
        "7 <... fdatasync resumed>) = 0",
        post.replace("write(", "writev("),
      ],
      0,
    ],
    ["sent first", [post, log, sync], 1],
    ["logged, sent, synced", [log, post, sync], 1],
    ["synced before it was logged", [sync, log, post], 1],
    ["never logged", [sync, post], 1],
    ["synced in vain", [log, sync.replace("= 0", "= -1 EIO (Input/output error)"), post], 1],
    ["another file synced", [log, sync.replace("-wal", ""), post], 1],
    [
      "sent while the sync was still under way",
      [
        log,
        "7 fdatasync(20</data/claimcheck.db-wal> <unfinished ...>",
        post.replace("7 ", "8 "),
        "7 <... fdatasync resumed>) = 0",
      ],
      1,
    ],
    [
      "logged while the sync was under way",
      [
        "7 fdatasync(20</data/claimcheck.db-wal> <unfinished ...>",
        log.replace("7 ", "8 "),
        "7 <... fdatasync resumed>) = 0",
        post,
      ],
      1,
    ],
    ["logged to another file", [log.replace("-wal", ""), sync, post], 1],
    ["sent once more, later", [post, log, sync, post], 1],
  ];

  test.each(orders)("a trace is read rightly: %s", (_, lines, early) => {
    const left = lines.filter((line) => line.includes("POST")).length;
    expect(messages(lines.join("\n"), [paid(id)])).toEqual([{ token: id, left, early }]);
  });
});
