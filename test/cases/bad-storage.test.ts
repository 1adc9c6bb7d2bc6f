/** Whatever is wrong with what is stored: it is said, left as it is, and costs nobody else anything. */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Client from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { alter, databaseFile, select } from "../support/database.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { refusal, said } from "../support/said.ts";
import type { StdioServer } from "../support/stdio.ts";
import { temporaryDirectory, type World, world } from "../support/world.ts";

const uuid = randomUUID();

/** One call of every tool that needs storage. */
const everyTool: [string, Record<string, unknown>][] = [
  ["chat", { message: "Hello." }],
  ["answers", { action: "wait", request_id: uuid }],
  ["answers", { action: "inbox" }],
  ["sessions", { operation: "list" }],
  ["request_status", { request_id: uuid }],
];

const digestOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** A database with one finished request in it, and nobody at work on it. */
async function usedDatabase(here: World): Promise<void> {
  const server = await here.server();
  await server.call("chat", { message: "Before." });
  await server.close();
}

describe("a data directory that cannot be used", () => {
  const unusable: [string, (base: string) => string, (base: string) => void][] = [
    ["lies below a file", (base) => join(base, "file", "data"), (base) => rmSync(join(base, "file"))],
    ["is a file", (base) => join(base, "file"), (base) => rmSync(join(base, "file"))],
    [
      "has a directory for a database",
      (base) => join(base, "full"),
      (base) => rmSync(join(base, "full"), { recursive: true }),
    ],
  ];

  test.each(unusable)(
    "when it %s: every call says so, and the first one after the repair is served",
    async (_, pathIn, repair) => {
      const here = await world();
      const base = temporaryDirectory();
      writeFileSync(join(base, "file"), "in the way");
      mkdirSync(join(base, "full", "claimcheck.db"), { recursive: true });
      const server = await here.server({ env: { CLAIMCHECK_DATA_DIR: pathIn(base) } });

      for (const [tool, args] of everyTool) {
        const told = refusal(await server.call(tool, args), "storage_unavailable");
        expect(told["message"]).toContain(pathIn(base));
        expect(told["message"]).toMatch(/CLAIMCHECK_DATA_DIR/);
      }
      expect(here.sim.ledger.attempts).toBe(0);

      repair(base);
      expect(said(await server.call("chat", { message: "Now?" }))).toMatchObject({ status: "completed" });
      expect(here.sim.ledger.posts).toBe(1);
    },
  );
});

describe("a database that is not what it should be", () => {
  function foreignDatabase(file: string) {
    const client = new Client(file);
    client.exec("create table notes (text); insert into notes values ('mine')");
    client.close();
  }
  const pragma = (file: string, statement: string) => {
    const client = new Client(file);
    client.pragma(statement);
    client.close();
  };

  const files: [string, string, (file: string) => void][] = [
    [
      "something else altogether",
      "storage_corrupt",
      (file) => writeFileSync(file, "no database at all. ".repeat(500)),
    ],
    ["only the beginning of one", "storage_corrupt", (file) => truncateSync(file, 4_096 * 3)],
    [
      "one overwritten from its first page on",
      "storage_corrupt",
      (file) =>
        writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 100), Buffer.alloc(40_000, 7)])),
    ],
    [
      "another program's",
      "storage_corrupt",
      (file) => {
        rmSync(file);
        foreignDatabase(file);
      },
    ],
    ["from a newer version", "storage_newer", (file) => pragma(file, "user_version = 99")],
  ];

  test.each(files)(
    "such as %s (%s), is refused by every tool and left untouched",
    async (_, code, damage) => {
      const here = await world();
      await usedDatabase(here);
      const file = databaseFile(here.dataDir);
      damage(file);
      const before = digestOf(file);
      const server = await here.server();

      for (const [tool, args] of everyTool) {
        const told = refusal(await server.call(tool, args), code);
        expect(told["message"]).toContain(file);
        expect(told["message"]).toMatch(/left untouched/);
      }

      expect(here.sim.ledger.attempts).toBe(1);
      await server.close();
      expect(digestOf(file)).toBe(before);
    },
  );

  test("that was moved away to begin anew lets the same server go on", async () => {
    const here = await world();
    await usedDatabase(here);
    const file = databaseFile(here.dataDir);
    writeFileSync(file, "no database at all. ".repeat(500));
    const server = await here.server();
    refusal(await server.call("chat", { message: "Hello." }), "storage_corrupt");

    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });

    expect(said(await server.call("chat", { message: "Hello." }))).toMatchObject({ status: "completed" });
  });
});

describe("a request that this version cannot read", () => {
  const rows: [string, string, string, unknown][] = [
    ["from a newer version", "snapshot_newer", "machine_version = ?", 99],
    [
      "of a shape nobody knows",
      "snapshot_unreadable",
      "snapshot = ?",
      '{"status":"weird","value":"somewhere"}',
    ],
    [
      "of a state nobody knows",
      "snapshot_unreadable",
      "snapshot = json_set(snapshot, '$.value', ?)",
      "thinking",
    ],
    [
      "without its memory",
      "snapshot_unreadable",
      "snapshot = json_remove(snapshot, ?)",
      "$.context.attempts",
    ],
  ];

  /** Where in its life the request was when the newer version wrote it. */
  const stages = ["completed", "recovery_required", "streaming"] as const;

  async function stuckAt(here: World, stage: (typeof stages)[number]) {
    const id = randomUUID();
    const first = await here.server();
    if (stage !== "completed") here.sim.script({ times: 1, scenario: "hold_mid_text" });
    const args = { message: "Strange.", request_id: id, ...(stage !== "completed" && { wait_ms: 0 }) };
    const { session_id } = said(await first.call("chat", args));
    if (stage !== "completed")
      await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
    // Killed, it leaves the request as it was; closed, it commits that contact was lost.
    await (stage === "streaming" ? first.kill() : first.close());
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: stage });
    return { id, session_id };
  }

  const cases = rows.flatMap(([what, code, change, value]) =>
    stages.map((stage) => [what, stage, code, change, value] as const),
  );

  test.each(cases)(
    "%s, when it was %s, is named so (%s) and left alone, and nobody else minds",
    async (_, stage, code, change, value) => {
      const here = await world();
      const { id, session_id } = await stuckAt(here, stage);
      alter(here.dataDir, `update requests set ${change} where id = ?`, value, id);
      const wholeRow = () => select(here.dataDir, "select * from requests where id = ?", id);
      const before = wholeRow();
      const server = await here.server();

      await expectOthersServed(server);
      for (const [tool, args] of [
        ["chat", { message: "Strange.", request_id: id, wait_ms: 500 }],
        ["answers", { action: "wait", request_id: id, wait_ms: 500 }],
        ["answers", { action: "read", request_id: id, wait_ms: 500 }],
        ["request_status", { request_id: id }],
        ["request_status", { action: "recover", request_id: id, wait_ms: 500 }],
        ["request_status", { action: "cancel", request_id: id }],
        // Giving up what is settled is refused for that alone.
        ["request_status", { action: stage === "completed" ? "inspect" : "abandon", request_id: id }],
      ] as const) {
        const told = refusal(await server.call(tool, args), code);
        expect(told).toMatchObject({ request_id: id });
        expect(told["message"]).toMatch(/left untouched/);
      }
      expect(wholeRow()).toEqual(before);
      await expectOthersServed(server);
      expect(said(await server.call("sessions", { operation: "get", session_id }))).toMatchObject({
        status: "ok",
        session_id,
      });
      expect(here.sim.ledger.posts).toBe(3);
    },
  );

  test("whose row is damaged is called so, and nothing is sent for it", async () => {
    const here = await world();
    const { id } = await stuckAt(here, "completed");
    alter(here.dataDir, "update requests set snapshot = '{\"status\":' where id = ?", id);
    const server = await here.server();

    for (const [tool, args] of [
      ["chat", { message: "Strange.", request_id: id, wait_ms: 500 }],
      ["answers", { action: "read", request_id: id, wait_ms: 500 }],
      ["request_status", { request_id: id }],
    ] as const) {
      expect(refusal(await server.call(tool, args), "storage_corrupt")["message"]).toMatch(/left untouched/);
    }
    await expectOthersServed(server);
    expect(here.sim.ledger.posts).toBe(2);
  });

  async function expectOthersServed(server: StdioServer) {
    const other = said(await server.call("chat", { message: `Others, ${randomUUID()}.` }));
    expect(other).toMatchObject({ status: "completed" });
    for (const [tool, args] of [
      ["answers", { action: "inbox" }],
      ["answers", { action: "history", session_id: other["session_id"] }],
      ["sessions", { operation: "list" }],
    ] as const) {
      const result = await server.call(tool, args);
      expect({ tool, args, isError: result.isError }).toEqual({ tool, args, isError: false });
      said(result);
    }
  }
});
