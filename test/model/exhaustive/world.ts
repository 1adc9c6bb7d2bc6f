/** Everything that matters at one moment, as plain data: the row, two workers and upstream. */
import { type Happening, numberOf } from "./decisions.ts";
import type { Row, Seen } from "./rules.ts";

export interface Worker {
  /** Counts its deaths too: a process that starts again is somebody else. */
  id: number;
  alive: boolean;
  /** Holds what to send, and may send it. */
  call: "none" | "ready" | "sent";
  /** Reads upstream's stream. */
  reading: boolean;
  /** What it is about to write, decided on what it had read then. Between the two everything else may happen. */
  hand: Hand | null;
}

export interface Hand {
  happening: Happening;
  seen: Seen;
  /** The snapshot it read. */
  snapshot: string;
  /** Whether it took itself for the owner. */
  mine: boolean;
}

export interface Upstream {
  /** Calls that left. */
  posts: number;
  /** Generations that began: what is paid for. */
  begun: number;
  response: "none" | "running" | "done" | "forgotten";
}

export interface World {
  row: Row | null;
  workers: readonly [Worker, Worker];
  upstream: Upstream;
}

/** A step that was taken, for people to read. */
export interface Step {
  says: string;
  to: World;
  /** What was written in it; null where nothing was. */
  wrote: Write | null;
}

export interface Write {
  writer: number;
  happening: Happening | "claim";
  /** What the row was. */
  before: Row | null;
  after: Row;
  seen: Seen | null;
  /** Whether the owner of the row as it was is alive. */
  ownerAlive: boolean;
}

/**
 * Worlds with the same key go on alike. Numbers only ever grow and are only asked for whether they are still the
 * same, so that is what is told of them; names do not matter, so of two workers either may come first.
 */
export function keyOf(world: World): string {
  const keys = [keyFrom(world, 0), keyFrom(world, 1)];
  return keys.sort()[0] ?? "";
}

function keyFrom({ row, workers, upstream }: World, first: 0 | 1): string {
  const [one, other] = first === 0 ? workers : [workers[1], workers[0]];
  const owner =
    row === null ? "-" : row.owner === one.id ? 1 : row.owner === other.id ? 2 : row.owner === null ? 0 : 3;
  const stored = row === null ? "" : [numberOf(row.snapshot), row.lapsed, row.intents, row.advances].join();
  const whole = [owner, stored, keyOfWorker(one, row), keyOfWorker(other, row), Object.values(upstream)];
  return whole.join(" ");
}

function keyOfWorker({ alive, call, reading, hand }: Worker, row: Row | null): string {
  const held = hand === null ? "" : keyOfHand(hand, row);
  return [alive, call, reading, held].join();
}

/** Who decided on what is no longer so has to decide again, whatever it was that it saw. */
function keyOfHand({ happening, seen, snapshot, mine }: Hand, row: Row | null): string {
  if (seen.version !== row?.version) return `${happening} too late`;
  return [happening, numberOf(snapshot), seen.epoch === row.epoch, seen.lease === row.lease, mine].join();
}

export function firstWorld(): World {
  const worker = (id: number): Worker => ({ id, alive: true, call: "none", reading: false, hand: null });
  return {
    row: null,
    workers: [worker(0), worker(1)],
    upstream: { posts: 0, begun: 0, response: "none" },
  };
}
