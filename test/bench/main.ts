/**
 * What claimcheck costs over what it stands on, as ratios of one run. `--json FILE` writes the figures too.
 * Exits with 1 when a ratio misses its aim by more than a fifth.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDisk } from "./disk.ts";
import { openSubjects } from "./engine.ts";
import { median, medians } from "./measure.ts";
import { bareNode, firstReply, idleMemory } from "./processes.ts";
import { startUpstream } from "./upstream.ts";

interface Figure {
  key: string;
  what: string;
  value: number;
  unit: string;
  /** Most it may be; absent where it is only reported. */
  aim?: number;
}

const tolerance = 1.2;
const { values } = parseArgs({ options: { json: { type: "string" } } });

const directory = mkdtempSync(join(tmpdir(), "claimcheck-bench-"));
const upstream = await startUpstream();
try {
  const figures = [...(await engineFigures()), ...(await processFigures())];
  print(figures);
  if (values.json !== undefined) {
    writeFileSync(
      values.json,
      `${JSON.stringify(Object.fromEntries(figures.map((f) => [f.key, f.value])), null, 2)}\n`,
    );
  }
  process.exitCode = figures.every(holds) ? 0 : 1;
} finally {
  await upstream.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function engineFigures(): Promise<Figure[]> {
  const disk = openDisk(directory);
  const subjects = await openSubjects(directory, upstream.url);
  try {
    const { engine: whole, sdk: kept, freshSdk, commits } = subjects;
    await medians([whole, kept, freshSdk, commits], 1, 20);
    const floor = { name: "three fdatasyncs", once: () => disk.sync3() as undefined };
    const [engine = NaN, sdk = NaN, sync = NaN, connecting = NaN, committing = NaN] = await medians(
      [whole, kept, floor, freshSdk, commits],
      9,
      25,
    );
    const replaysPerSecond = await subjects.replaysPerSecond();
    return [
      { key: "engine_request_ms", what: "one request through the engine, p50", value: engine, unit: "ms" },
      { key: "sdk_request_ms", what: "the same over the raw SDK, p50", value: sdk, unit: "ms" },
      { key: "fsync3_ms", what: "three bare fdatasyncs, p50", value: sync, unit: "ms" },
      {
        key: "overhead_ratio_fsync3",
        what: "engine over SDK, to three fdatasyncs",
        value: (engine - sdk) / sync,
        unit: "x",
        aim: 2.0,
      },
      {
        key: "commits_ratio_fsync3",
        what: "  of it three commits, to three fdatasyncs",
        value: committing / sync,
        unit: "x",
      },
      {
        key: "connecting_ratio_fsync3",
        what: "  of it a connection for each call",
        value: (connecting - sdk) / sync,
        unit: "x",
      },
      { key: "replays_per_s", what: "replays of a finished request", value: replaysPerSecond, unit: "/s" },
    ];
  } finally {
    await subjects.close();
    disk.close();
  }
}

async function processFigures(): Promise<Figure[]> {
  const bare = { name: "node -e ''", once: bareNode };
  const server = {
    name: "spawn to first reply",
    once: () => firstReply(join(directory, "cold"), upstream.url),
  };
  await medians([bare, server], 1, 2);
  const [node = NaN, first = NaN] = await medians([bare, server], 9, 1);
  const memory: number[] = [];
  for (let i = 0; i < 3; i += 1) memory.push(await idleMemory(join(directory, "idle"), upstream.url));
  return [
    { key: "node_ms", what: "bare node -e ''", value: node, unit: "ms" },
    { key: "cold_start_ms", what: "spawn to first reply", value: first, unit: "ms" },
    {
      key: "cold_start_ratio_node",
      what: "first reply to bare node",
      value: first / node,
      unit: "x",
      aim: 2.3,
    },
    { key: "idle_rss_mib", what: "resident memory, idle", value: median(memory), unit: "MiB", aim: 75 },
  ];
}

function holds({ value, aim }: Figure): boolean {
  return aim === undefined || value <= aim * tolerance;
}

function print(figures: readonly Figure[]) {
  console.log(`Node ${process.version}, medians of interleaved rounds in one run\n`);
  for (const figure of figures) {
    const aim = figure.aim === undefined ? "" : `aim <= ${figure.aim}${holds(figure) ? "" : "  MISSED"}`;
    console.log(
      `${figure.what.padEnd(40)} ${figure.value.toFixed(2).padStart(10)} ${figure.unit.padEnd(4)} ${aim}`,
    );
  }
}
