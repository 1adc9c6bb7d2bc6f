import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { temporaryDirectory, type World, world } from "../support/world.ts";
import { fakeWorld } from "./support/fake-world.ts";

interface Asked {
  dataDir: string;
  completed: string;
  unknown: string;
}

/** Two requests that a server made: one answered, one lost. */
async function asked({ sim, server, dataDir }: World): Promise<Asked> {
  sim.script({ match: { message: "umbrella" }, scenario: "reset_before_headers" });
  const [completed, unknown] = [randomUUID(), randomUUID()];
  const host = await server();
  await host.call("chat", { request_id: completed, message: "What is a ticket?" });
  await host.call("chat", { request_id: unknown, message: "Who has my umbrella?" });
  await host.close();
  return { dataDir, completed, unknown };
}

async function run(args: string[], dataDir: string, terminal?: { tty?: boolean; columns?: number }) {
  const here = fakeWorld({ CLAIMCHECK_DATA_DIR: dataDir }, terminal);
  const code = await main(args, { ...here, now: () => Date.now() });
  return { code, printed: here.printed(), complained: here.complained() };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these escapes are the colours
const colours = /\x1b\[\d+m/g;
const tooWide = ({ printed }: { printed: string }) =>
  printed.split("\n").filter((line) => line.replaceAll(colours, "").length > 80);

test("a database that cannot be reached is not taken for one that is not there", async () => {
  const inTheWay = join(temporaryDirectory(), "file");
  writeFileSync(inTheWay, "");
  for (const args of [["list"], ["show", randomUUID()], ["usage"], ["answer", randomUUID()]]) {
    const { code, printed, complained } = await run(args, inTheWay);
    expect({ code, printed }, args.join(" ")).toEqual({ code: 1, printed: "" });
    expect(complained).toMatch(/cannot be looked at \(ENOTDIR\)/);
  }
});

describe("what is stored can be looked at without a key", () => {
  test("list shows requests newest first, and as JSON the same", async () => {
    const { dataDir, completed, unknown } = await asked(await world());

    const { code, printed } = await run(["list"], dataDir);
    const json = await run(["list", "--json"], dataDir);

    expect(code).toBe(0);
    const lines = printed.trimEnd().split("\n");
    expect(lines[0]).toMatch(new RegExp(`^${unknown} {2}‽ unknown_outcome .* ago gpt-test$`));
    expect(lines[1]).toMatch(new RegExp(`^${completed} {2}● completed .* ago gpt-test$`));
    expect(lines.filter((line) => line.length > 90)).toEqual([]);
    expect(JSON.parse(json.printed)).toMatchObject({
      requests: [
        { request_id: unknown, status: "unknown_outcome" },
        { request_id: completed, status: "completed" },
      ],
    });
  });

  test("list keeps to the states, phases and pages asked for", async () => {
    const { dataDir, completed, unknown } = await asked(await world());
    const ids = async (...args: string[]) => {
      const { requests } = JSON.parse((await run(["list", "--json", ...args], dataDir)).printed);
      return requests.map((request: { request_id: string }) => request.request_id);
    };

    expect(await ids("--state", "unresolved")).toEqual([unknown]);
    expect(await ids("--state", "completed")).toEqual([completed]);
    expect(await ids("--state", "unresolved", "--state", "final")).toEqual([unknown, completed]);
    expect(await ids("--state", "live")).toEqual([]);
    const { printed } = await run(["list", "--limit", "1"], dataDir);
    const before = /--before (\S+)/.exec(printed)?.[1] ?? "";
    expect(await ids("--before", before)).toEqual([completed]);
  });

  test("show tells what became of a request and how it got there", async () => {
    const { dataDir, unknown } = await asked(await world());

    const { code, printed } = await run(["show", unknown.toUpperCase()], dataDir);
    const json = await run(["show", unknown, "--json"], dataDir);

    expect(code).toBe(0);
    expect(printed).toContain("The call may have been made and billed");
    expect(printed).toMatch(/◌─ claimed .*\n│ {2}upstream\.lost \(reset\) .*\n‽─ unknown_outcome\n$/);
    expect(printed).toContain("request_status");
    expect(JSON.parse(json.printed)).toMatchObject({
      request: { request_id: unknown, status: "unknown_outcome" },
      journal: [{ state: "claimed" }, { state: "unknown_outcome", event: "upstream.lost" }],
    });
  });

  test("show holds to the width of the terminal, and to ASCII and no colour when asked", async () => {
    const { dataDir, completed, unknown } = await asked(await world());

    const coloured = await run(["show", completed], dataDir, { tty: true });
    const plain = await run(["show", completed, "--ascii"], dataDir);

    expect(coloured.printed).toMatch(colours);
    expect(plain.printed).toMatch(/^[\x20-\x7e\n]+$/);
    const wide = [plain, coloured, await run(["show", unknown, "--ascii"], dataDir)].flatMap(tooWide);
    // Calls are left whole, to be copied.
    expect(wide.filter((line) => !line.includes('{"'))).toEqual([]);
  });

  test("show of a request that is not there says so with code 3", async () => {
    const { dataDir } = await asked(await world());
    const { code, complained } = await run(["show", randomUUID()], dataDir);
    expect(code).toBe(3);
    expect(complained).toMatch(/^claimcheck: /);
  });
});

test("looking where nothing is stored makes nothing", async () => {
  const dataDir = join(temporaryDirectory(), "not-yet");
  expect(await run(["list"], dataDir)).toMatchObject({ code: 0, printed: "No requests.\n" });
  expect(await run(["list", "--json"], dataDir)).toMatchObject({ code: 0, printed: '{"requests":[]}\n' });
  expect(await run(["show", randomUUID()], dataDir)).toMatchObject({ code: 3 });
  expect(existsSync(dataDir)).toBe(false);
});
