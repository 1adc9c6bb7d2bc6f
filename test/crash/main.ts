/**
 * Every step of every path a request can be led along, struck at every moment of every write, with the restart
 * struck too; the same with a disk that fails; and every kind of moment once more with a process that really is
 * killed. Takes a quarter of an hour. Prints what it did; exits with 1 at the first life that did not go on as the
 * machine says.
 *
 * `--story NAME` for one of the stories of `test/model/world/stories.ts`, `--blow NAME` for one kind of blow.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { emptyTally, type Orders, siteName, strikeAll, type Tally } from "../model/world/campaign.ts";
import { type Site, sitesOf } from "../model/world/crash-sites.ts";
import { directions } from "../model/world/directions.ts";
import type { PlayedStep } from "../model/world/paths.ts";
import { openHouse } from "../model/world/stage.ts";
import { type Story, stories } from "../model/world/stories.ts";

const { values } = parseArgs({ options: { story: { type: "string" }, blow: { type: "string" } } });
const chosen = Object.entries(stories).filter(
  ([name]) => values.story === undefined || name === values.story,
);
if (chosen.length === 0) throw new Error(`No such story. There are: ${Object.keys(stories).join(", ")}.`);

interface Campaign extends Orders {
  what: string;
  sites(story: Story): Site[];
}

/** What guards and effects look at, and what happens there. */
const everyEdge = (story: Story) =>
  sitesOf(story, (_, { before: { value, context }, direction }) =>
    JSON.stringify([
      value,
      context.upstream,
      context.cancel,
      context.missingSince,
      directions.indexOf(direction),
    ]),
  );
const everyTransition = (story: Story) =>
  sitesOf(story, (_: readonly PlayedStep[], { took }) => String(took));
const momentOf: NonNullable<Orders["once"]> = (site, { point }) =>
  `${siteName(site)} ${site.step?.took} ${point}`;

const campaigns: readonly Campaign[] = [
  { what: "killed, its restart too", blow: "killed", twice: true, sites: everyEdge },
  { what: "I/O error", blow: "SQLITE_IOERR_WRITE", twice: false, sites: everyTransition },
  { what: "disk full", blow: "SQLITE_FULL", twice: false, sites: everyTransition },
  { what: "database locked", blow: "SQLITE_BUSY", twice: false, sites: everyTransition },
  { what: "SIGKILL", blow: "killed", twice: false, forReal: true, once: momentOf, sites: everyTransition },
];

const dealt = campaigns.filter(({ what }) => values.blow === undefined || what === values.blow);
if (dealt.length === 0)
  throw new Error(`No such blow. There are: ${campaigns.map(({ what }) => what).join(", ")}.`);

const directory = mkdtempSync(join(tmpdir(), "claimcheck-crash-"));
const moments = new Set<string>();
let lives = 0;
let failed = 0;
try {
  console.log(`${"blow".padEnd(25)}${"story".padEnd(22)}  sites  struck   again      s`);
  for (const campaign of dealt) {
    for (const [name, story] of chosen) failed += await run(campaign, name, story);
  }
  console.log(`\n${moments.size} kinds of moment (state, event, write); ${lives} lives struck`);
  console.log(`${lives - failed} passed, ${failed} failed`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// Workers that fell silent never let go of their connections, which would keep this process.
process.exit(failed === 0 ? 0 : 1);

/** @returns how many lives went wrong: the first one ends its campaign */
async function run(campaign: Campaign, name: string, story: Story): Promise<number> {
  const tally = emptyTally();
  const started = performance.now();
  const house = await openHouse(join(directory, `${campaign.what} ${name}.db`));
  try {
    await strikeAll(house, campaign.sites(story), campaign, tally);
    return 0;
  } catch (error) {
    console.log(`FAILED ${String(error)}`);
    return 1;
  } finally {
    await house.close();
    print(campaign.what, name, tally, performance.now() - started);
    for (const moment of tally.moments.keys()) moments.add(moment);
    lives += tally.struck;
  }
}

function print(what: string, name: string, { sites, struck, again }: Tally, ms: number) {
  const counts = [sites, struck, again, Math.round(ms / 1_000)].map((count) => String(count).padStart(7));
  console.log(`${what.padEnd(25)}${name.slice(0, 21).padEnd(22)}${counts.join(" ").slice(0, 40)}`);
}
