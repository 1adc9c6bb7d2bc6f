/** Whatever is wrong with what is stored is told as what it is, with what to do, and left as it was. */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Client from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDatabase, withClient } from "../store/folders.ts";
import { databaseFile } from "../support/database.ts";
import { temporaryDirectory, world } from "../support/world.ts";
import { type Examined, examined, examinedAs, traceOf, wellFor } from "./support/doctor.ts";

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
/** Who cannot write what only root can, or, where this is not root, what has no write bit. */
const somebody = isRoot ? nobody : (process.getuid?.() ?? 0);

/** A data directory with a finished request in it, and nobody at work. */
async function used(): Promise<string> {
  const here = await world();
  const server = await here.server();
  await server.call("chat", { message: "What is a ticket?" });
  await server.close();
  return here.dataDir;
}

function verdictsOf({ checks }: Examined): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).map(([name, { verdict }]) => [name, verdict]));
}

describe("a database that is not what it should be is named as what it is and left untouched", () => {
  const damages: [string, RegExp, (file: string) => void][] = [
    [
      "something else altogether",
      /damaged or not a claimcheck database/,
      (file) => writeFileSync(file, "no database. ".repeat(500)),
    ],
    ["only the beginning of one", /damaged/, (file) => truncateSync(file, 4_096 * 3)],
    [
      "one with a page overwritten",
      /damaged/,
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(7, 4_096, 8_192));
      },
    ],
    [
      "another program's",
      /another program/,
      (file) => {
        rmSync(file);
        withClient(file, (client) => client.exec("create table notes (text)"));
      },
    ],
    [
      "one of a newer claimcheck",
      /written by a newer claimcheck \(storage version 99/,
      (file) => withClient(file, (client) => client.pragma("user_version = 99")),
    ],
    [
      "a directory",
      /cannot be opened/,
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ];

  test.each(damages)("%s", async (_, says, damage) => {
    const dataDir = await used();
    damage(databaseFile(dataDir));
    const before = traceOf(dataDir);

    const found = await examined(wellFor(dataDir));

    expect(found).toMatchObject({ code: 1, healthy: false });
    expect(found.checks["database"]).toMatchObject({ verdict: "fail", says: expect.stringMatching(says) });
    expect(`${found.checks["database"]?.says} ${found.checks["database"]?.next}`).toContain(
      databaseFile(dataDir),
    );
    expect(found.checks["database"]?.next).toBeTruthy();
    expect(found.checks["leases"]?.verdict).toBe("skip");
    expect(traceOf(dataDir)).toEqual(before);
  });

  test("one with changes beside it that nobody took in yet", async () => {
    const [dataDir, copied] = [await used(), temporaryDirectory()];
    withOpenWal(databaseFile(dataDir), () => {
      for (const end of ["", "-wal"]) copyFileSync(databaseFile(dataDir) + end, databaseFile(copied) + end);
    });
    const before = traceOf(copied);

    const { checks } = await examined(wellFor(copied));

    expect(checks["database"]).toMatchObject({
      verdict: "skip",
      says: expect.stringContaining("not taken in yet"),
    });
    expect(traceOf(copied)).toEqual(before);
  });
});

/** While `use` runs, what was written is in `-wal` and not in the file. */
function withOpenWal(file: string, use: () => void): void {
  withClient(file, (client) => {
    client.exec("insert into meta values ('a', 'b')");
    use();
  });
}

describe("a data directory that cannot be used", () => {
  const places: [string, RegExp, (base: string) => string][] = [
    ["is a file", /is not a directory/, (base) => join(base, "file")],
    ["lies below a file", /lies below .*file/, (base) => join(base, "file", "data")],
    ["is a link to nowhere", /link to something that is not there/, (base) => join(base, "link")],
  ];

  test.each(places)("when it %s, says so", async (_, says, pathIn) => {
    const base = temporaryDirectory();
    writeFileSync(join(base, "file"), "in the way");
    symlinkSync(join(base, "nowhere"), join(base, "link"));
    const before = traceOf(base);

    const found = await examined(wellFor(pathIn(base)));

    expect(found.code).toBe(1);
    expect(found.checks["directory"]).toMatchObject({
      verdict: "fail",
      says: expect.stringMatching(says),
      next: expect.stringContaining("CLAIMCHECK_DATA_DIR"),
    });
    expect(traceOf(base)).toEqual(before);
  });

  test("when it may be read and not written, says so, and still tells what is stored", async () => {
    const dataDir = await used();
    chmodSync(databaseFile(dataDir), 0o444);
    chmodSync(dataDir, 0o555);
    onTestFinished(() => chmodSync(dataDir, 0o700));
    const before = traceOf(dataDir);

    const found = examinedAs(somebody, wellFor(dataDir));

    expect(found.code).toBe(1);
    expect(verdictsOf(found)).toMatchObject({
      directory: "fail",
      database: "fail",
      unresolved: "ok",
      leases: "ok",
    });
    expect(found.checks["directory"]?.says).toContain("EACCES");
    expect(found.checks["database"]?.says).toContain("can be read and not written");
    expect(traceOf(dataDir)).toEqual(before);
  });

  test.skipIf(!isRoot)("when it is another user's, says whose", async () => {
    const dataDir = await used();
    chownSync(databaseFile(dataDir), nobody, nobody);

    const asRoot = await examined(wellFor(dataDir));
    const asNobody = examinedAs(nobody, wellFor(dataDir));

    expect(asRoot.checks["privacy"]).toMatchObject({
      verdict: "warn",
      says: expect.stringContaining(`user ${nobody}`),
    });
    expect(asNobody).toMatchObject({ code: 1 });
    expect(verdictsOf(asNobody)).toMatchObject({ directory: "fail", database: "fail", leases: "skip" });
  });
});

/** An `--import` that has the system tell of another disk than there is. */
function onDisk(disk: { type: number; freeMiB: number }): string[] {
  const source = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.statfsSync = () => ({ type: ${disk.type}, bsize: ${1_024 * 1_024}, bavail: ${disk.freeMiB} });
    syncBuiltinESMExports();`;
  return [`--import=data:text/javascript,${encodeURIComponent(source)}`];
}

describe.skipIf(process.platform !== "linux")("of the disk", () => {
  const [ext4, plenty] = [0xef53, 100_000];
  const disks: [string, { type: number; freeMiB: number }, string, RegExp][] = [
    ["a local one with room", { type: ext4, freeMiB: plenty }, "ok", /^Local \(ext4\), 97\.7 GiB free\.$/],
    [
      "one with less room than may be needed",
      { type: ext4, freeMiB: 20 },
      "warn",
      /^20\.0 MiB free, less than/,
    ],
    [
      "one without room for an answer",
      { type: ext4, freeMiB: 0 },
      "fail",
      /^0 bytes free, less than one answer/,
    ],
    ["one of the network", { type: 0x6969, freeMiB: plenty }, "fail", /^On NFS, a network file system/],
    ["one of the network, told with a sign", { type: 0xff534d42 | 0, freeMiB: plenty }, "fail", /^On CIFS/],
    ["a folder of another system", { type: 0x65735546, freeMiB: plenty }, "warn", /^On FUSE/],
    ["one in memory", { type: 0x01021994, freeMiB: plenty }, "warn", /^On tmpfs: all that is stored is gone/],
    [
      "one of a kind nobody knows",
      { type: 0x1234, freeMiB: plenty },
      "ok",
      /cannot be told here \(type 0x1234\)/,
    ],
  ];

  test.each(disks)("%s is told as that", async (_, disk, verdict, says) => {
    const { code, checks } = await examined(wellFor(temporaryDirectory()), { nodeArgs: onDisk(disk) });
    expect(checks["disk"]).toMatchObject({ verdict, says: expect.stringMatching(says) });
    expect(code).toBe(verdict === "fail" ? 1 : 0);
  });
});

test("what others can read is named, with the commands that close it", async () => {
  const dataDir = await used();
  chmodSync(dataDir, 0o755);
  chmodSync(databaseFile(dataDir), 0o644);

  const { code, checks } = await examined(wellFor(dataDir));

  expect(code).toBe(0);
  expect(checks["privacy"]?.verdict).toBe("warn");
  expect(checks["privacy"]?.next?.split("\n").slice(1)).toEqual([
    `chmod 700 ${dataDir}`,
    `chmod 600 ${databaseFile(dataDir)}`,
  ]);
});

describe.skipIf(process.platform !== "linux")("a database that somebody keeps to himself", () => {
  const lockedByUs = `Process ${process.pid} has kept `;

  test("by locking all of it is told with the process that does it", async () => {
    const dataDir = await used();
    const client = new Client(databaseFile(dataDir));
    onTestFinished(() => void client.close());
    client.pragma("locking_mode = EXCLUSIVE");
    client.exec("begin immediate; insert into meta values ('a', 'b'); commit");

    const { code, checks } = await examined(wellFor(dataDir));

    expect(code).toBe(1);
    expect(checks["database"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining(lockedByUs),
    });
  });

  test("by not ending a transaction is told with the process that does it", async () => {
    const dataDir = temporaryDirectory();
    await createDatabase(databaseFile(dataDir));
    const client = new Client(databaseFile(dataDir));
    onTestFinished(() => void client.close());
    client.exec("begin immediate");

    const { code, checks } = await examined(wellFor(dataDir));

    expect(code).toBe(1);
    expect(checks["database"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining(lockedByUs),
    });
  });
});
