import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, describe as group, test } from "vitest";
import { recordCoverage } from "./coverage.ts";
import { emptyTally, type Orders, siteName, strikeAll, type Tally } from "./world/campaign.ts";
import { type Site, sitesOf } from "./world/crash-sites.ts";
import { type House, openHouse } from "./world/stage.ts";
import { type Story, stories } from "./world/stories.ts";

const timeout = 120_000;
const coverage = recordCoverage("crashes", "all");
const directory = mkdtempSync(join(tmpdir(), "claimcheck-crashes-"));
let house: House;

beforeAll(async () => {
  house = await openHouse(join(directory, "claimcheck.db"));
});
afterAll(async () => {
  coverage.write();
  await house.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Each transition of the machine once, on the shortest way to it. */
const everyTransition = (story: Story) => sitesOf(story, (_, { took }) => String(took));

group.each(Object.entries(stories))("whoever dies at any moment of %s", (name, story) => {
  test("is followed by one who goes on as the machine says, and pays for nothing again", {
    timeout,
  }, async () => {
    const tally = await struck(everyTransition(story), { blow: "killed", twice: false });
    console.info(`${name}: ${tally.struck} lives struck at ${tally.sites} sites`);
    expect(tally.struck).toBeGreaterThan(2 * tally.sites);
  });
});

const first = stories["a first turn"];
if (!first) throw new Error("There is no first turn.");

test("whoever follows may die too, at any moment of taking over", { timeout }, async () => {
  const live = everyTransition(first).filter(({ step }) => step === null || step.after.hasTag("live"));
  const tally = await struck(live, { blow: "killed", twice: true });
  console.info(`${tally.struck} lives struck, ${tally.again} of their restarts too`);
  expect(tally.again).toBeGreaterThan(tally.struck);
});

/** One site for each event and where it leads: whether the disk gives way does not depend on more. */
const everyOutcome = (story: Story) =>
  sitesOf(story, (_, { event, after }) => `${event.type} ${JSON.stringify(after.value)}`);

test.each(["SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_BUSY"] as const)(
  "a write that fails with %s loses nothing and is never made up for by another call",
  { timeout },
  async (blow) => {
    const tally = await struck(everyOutcome(first), { blow, twice: false });
    expect(tally.struck).toBeGreaterThan(tally.sites);
  },
);

/** Before there is a response, when it is known, and with the answer: a few of what `npm run test:crash` kills. */
const killedEachTime = [
  "claim",
  "claimed.sending upstream.accepted",
  "claimed.sending lease.expired",
  "streaming upstream.completed",
];

test("it is the same with processes that really are killed", { timeout }, async () => {
  const sites = everyTransition(first);
  const few = killedEachTime.flatMap((name) => sites.find((site) => siteName(site) === name) ?? []);
  const tally = await struck(few, { blow: "killed", twice: false, forReal: true });
  console.info(`${tally.struck} processes killed`);
  expect(few).toHaveLength(killedEachTime.length);
  expect(tally.struck).toBeGreaterThanOrEqual(3 * few.length);
});

async function struck(sites: readonly Site[], orders: Orders): Promise<Tally> {
  const tally = emptyTally();
  await strikeAll(house, sites, orders, tally);
  for (const moment of tally.moments.keys()) coverage.crashPoint(moment);
  for (const { step } of sites) if (step !== null) coverage.step(step);
  return tally;
}
