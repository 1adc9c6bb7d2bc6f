/** What doctor tells of requests that are live or stuck, and of those who work on them. */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { alter } from "../support/database.ts";
import { untilRow } from "../support/request-row.ts";
import { world } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { examinedHere, traceOf, wellFor } from "./support/doctor.ts";

/** An answer that has begun and does not end by itself. */
async function underWay() {
  const here = await world();
  here.sim.script({ scenario: { hold: ["before_terminal"] } });
  const server = await here.server();
  const id = randomUUID();
  await server.call("chat", { request_id: id, message: "Tell me about coats.", wait_ms: 0 });
  await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
  return { ...here, held: server, id };
}

test("a running server's requests are told with its process, which is at work; nothing of it is touched", async () => {
  const { dataDir, held } = await underWay();
  const before = readdirSync(dataDir).sort();

  const { code, checks } = await examinedHere(wellFor(dataDir));

  expect(code).toBe(0);
  expect(checks["leases"]).toEqual({
    verdict: "ok",
    says: `1 live request, held by 1 server: process ${held.child.pid} (at work).`,
  });
  expect(checks["database"]?.says).toContain(`Open in process ${held.child.pid}.`);
  expect(readdirSync(dataDir).sort()).toEqual(before);
});

test("a dead server's request is told with the call that takes it over", async () => {
  const { dataDir, held, id } = await underWay();
  await held.kill();
  const before = traceOf(dataDir);

  const { code, checks } = await examinedHere(wellFor(dataDir));

  expect(code).toBe(0);
  expect(checks["leases"]).toMatchObject({
    verdict: "warn",
    says: `1 live request, held by 1 server: process ${held.child.pid} (no longer runs).`,
  });
  expect(checks["leases"]?.next?.split("\n").at(-1)).toBe(`answers {"action":"wait","request_id":"${id}"}`);
  expect(traceOf(dataDir)).toEqual(before);
});

test("an owner on another machine that let its lease pass is told as silent", async () => {
  const { dataDir, held, id } = await underWay();
  await held.kill();
  alter(dataDir, "update requests set owner = 'elsewhere|77||abcd', lease_until = 1 where id = ?", id);

  const { checks } = await examinedHere(wellFor(dataDir));

  expect(checks["leases"]).toMatchObject({
    verdict: "warn",
    says: expect.stringContaining("process 77 (silent"),
  });
});

test("stuck requests are counted and told with the exact call for each", async () => {
  const here = await world();
  here.sim.script({ match: { message: "umbrella" }, scenario: "reset_before_headers" });
  const server = await here.server();
  const [lost, late] = [randomUUID(), randomUUID()];
  await server.call("chat", { request_id: lost, message: "Who has my umbrella?" });
  here.sim.script({ match: { message: "coats" }, scenario: { hold: ["before_terminal"] } });
  await server.call("chat", { request_id: late, message: "And coats?", timeout_ms: 1_000, wait_ms: 1_500 });
  await untilRow(here.dataDir, late, "waits to be collected", ({ state }) => state === "recovery_required");
  await server.close();

  const { code, checks } = await examinedHere(wellFor(here.dataDir, { OPENAI_BASE_URL: here.sim.url }));
  const page = await claimcheck(["doctor"], wellFor(here.dataDir, { OPENAI_BASE_URL: here.sim.url }));
  const otherKey = await examinedHere(
    wellFor(here.dataDir, { OPENAI_BASE_URL: here.sim.url, OPENAI_API_KEY: "test-other" }),
  );

  expect(code).toBe(0);
  expect(checks["unresolved"]).toMatchObject({
    verdict: "warn",
    says: "2 requests hold their sessions until settled. 1 can be collected without a new generation. 1 may have been billed and must be decided by a person.",
  });
  const calls = [
    `answers {"action":"wait","request_id":"${late}"}`,
    `request_status {"action":"inspect","request_id":"${lost}"}`,
  ];
  expect(checks["unresolved"]?.next?.split("\n").slice(1).sort()).toEqual(calls.sort());
  for (const call of calls) expect(page.stdout).toContain(call);
  expect(otherKey.checks["unresolved"]?.says).toContain(
    "1 of these only with the key and base URL it was made with",
  );
});

test("an entry from the future is told as a clock that was set back", async () => {
  const here = await world();
  const server = await here.server();
  await server.call("chat", { message: "What is a ticket?" });
  await server.close();
  alter(here.dataDir, "update requests set updated_at = updated_at + 7_200_000".replaceAll("_000", "000"));

  const { code, checks } = await examinedHere(wellFor(here.dataDir));

  expect(code).toBe(0);
  expect(checks["clock"]).toMatchObject({
    verdict: "warn",
    says: expect.stringMatching(/1 h 59 min in the future/),
  });
});

test("requests of a newer claimcheck are told as left alone", async () => {
  const { dataDir, held, id } = await underWay();
  await held.kill();
  alter(dataDir, "update requests set machine_version = 99 where id = ?", id);

  const { code, checks } = await examinedHere(wellFor(dataDir));

  expect(code).toBe(0);
  expect(checks["database"]).toMatchObject({
    verdict: "warn",
    says: expect.stringContaining("1 unfinished request in it is of a newer claimcheck"),
    next: expect.stringContaining("Upgrade"),
  });
});
