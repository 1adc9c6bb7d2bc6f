/** All that can happen next in a world. A worker may rest between any two of its steps for as long as it takes. */

import type { RequestInput } from "../../../machines/request.ts";
import { authorityOf, decided, firstPlace, type Happening, type Place, placeAt } from "./decisions.ts";
import type { Fence, Row, Rules } from "./rules.ts";
import type { Hand, Step, Upstream, Worker, World } from "./world.ts";

type Which = 0 | 1;

export function stepsFrom(world: World, rules: Rules, input: RequestInput): Step[] {
  return [
    ...both.flatMap((which) =>
      world.workers[which].alive ? workerSteps(world, which, rules, input) : rising(world, which),
    ),
    ...upstreamSteps(world),
    ...timeSteps(world),
  ];
}

const both: readonly Which[] = [0, 1];

function workerSteps(world: World, which: Which, rules: Rules, input: RequestInput): Step[] {
  const worker = world.workers[which];
  const steps = worker.hand ? [commit(world, which, worker.hand, rules)] : [];
  return [
    ...steps,
    ...(worker.hand
      ? []
      : [...claims(world, which, rules, input), ...sends(world, which), ...reads(world, which)]),
    ...dies(world, which),
  ];
}

/** A claim of a request that is there is a replay, and writes nothing. */
function claims(world: World, which: Which, rules: Rules, input: RequestInput): Step[] {
  const worker = world.workers[which];
  if (world.row !== null) return [];
  if (!rules.claimsFirst && worker.call !== "sent") {
    return [say(`${name(worker)} makes the call`, posted(world, which))];
  }
  const place = firstPlace(input);
  const row: Row = {
    version: 0,
    epoch: 1,
    lease: 0,
    snapshot: place.stored,
    owner: worker.id,
    lapsed: false,
    intents: 1,
    advances: 0,
  };
  const call = rules.claimsFirst ? "ready" : worker.call;
  const to = withWorker({ ...world, row }, which, { call });
  const wrote = {
    writer: worker.id,
    happening: "claim",
    before: null,
    after: row,
    seen: null,
    ownerAlive: true,
  } as const;
  return [{ says: `${name(worker)} claims`, to, wrote }];
}

function sends(world: World, which: Which): Step[] {
  const worker = world.workers[which];
  return worker.call === "ready" ? [say(`${name(worker)} makes the call`, posted(world, which))] : [];
}

function posted(world: World, which: Which): World {
  const upstream = { ...world.upstream, posts: world.upstream.posts + 1 };
  return withWorker({ ...world, upstream }, which, { call: "sent" });
}

/** What a worker hears or wants, read together with the row as it is now; it is written in a later step. */
function reads({ row, ...rest }: World, which: Which): Step[] {
  if (row === null) return [];
  const world = { row, ...rest };
  const place = placeAt(row.snapshot);
  return [
    ...hearsAnswer(world, which),
    ...hearsStream(world, which),
    ...ownersWork(world, which, place),
    ...collects(world, which, place),
    ...takesOver(world, which, place),
    ...wishes(world, which, place),
  ];
}

type Begun = World & { row: Row };

/** Upstream answers the call that this worker made. */
function hearsAnswer(world: Begun, which: Which): Step[] {
  const worker = world.workers[which];
  if (worker.call !== "sent" || worker.reading) return [];
  const begun: Upstream = { ...world.upstream, begun: world.upstream.begun + 1, response: "running" };
  const over: Partial<Worker> = { call: "none" };
  return [
    ...take(world, which, "accepted", { upstream: begun }, { call: "none", reading: true }),
    ...take(world, which, "acceptedInForeground", { upstream: begun }, { call: "none", reading: true }),
    ...take(world, which, "completed", { upstream: { ...begun, response: "done" } }, over),
    // Nobody can say whether it began.
    ...take(world, which, "lost", { upstream: begun }, over),
    ...take(world, which, "unstarted", {}, over),
    ...take(world, which, "rejected", {}, over),
  ];
}

function hearsStream(world: Begun, which: Which): Step[] {
  const worker = world.workers[which];
  if (!worker.reading) return [];
  const over: Partial<Worker> = { reading: false };
  return [
    ...(world.upstream.response === "done"
      ? [...take(world, which, "completed", {}, over), ...take(world, which, "refused", {}, over)]
      : []),
    ...take(world, which, "lost", {}, over),
  ];
}

/** Only who takes itself for the owner has timers and a stream to stop. */
function ownersWork(world: Begun, which: Which, place: Place): Step[] {
  if (world.row.owner !== world.workers[which].id) return [];
  return [
    ...(place.deferred ? take(world, which, "retryDue") : []),
    ...(place.live ? take(world, which, "deadline", {}, { call: "none", reading: false }) : []),
    ...(place.state === "streaming" && place.cancelAsked && !place.background
      ? take(world, which, "stopped", {}, { reading: false })
      : []),
    ...(world.row.lapsed ? [renew(world, which)] : []),
  ];
}

/** A renewal moves no version: who saw the lease lapse must look again. */
function renew(world: Begun, which: Which): Step {
  const row = { ...world.row, lapsed: false, lease: world.row.lease + 1 };
  return say(`${name(world.workers[which])} renews its lease`, { ...world, row });
}

function collects(world: Begun, which: Which, place: Place): Step[] {
  if (place.state !== "recovery_required") return [];
  const { response } = world.upstream;
  return [
    ...(response === "running"
      ? [...take(world, which, "pending"), ...take(world, which, "reattached")]
      : []),
    ...(response === "done" ? [...take(world, which, "completed"), ...take(world, which, "incomplete")] : []),
    // Read lag: what is there is not found at first. Only what is not there is not found twice.
    ...(place.missed ? [] : take(world, which, "missing")),
    ...(response === "forgotten" ? take(world, which, "gone") : []),
    ...(place.cancelAsked && place.background
      ? [...take(world, which, "cancelFaulted"), ...take(world, which, "cancelledUpstream")]
      : []),
  ];
}

function takesOver(world: Begun, which: Which, place: Place): Step[] {
  const { row, workers } = world;
  if (!place.live || row.owner === workers[which].id) return [];
  const gone = !workers.some(({ id, alive }) => alive && id === row.owner);
  return row.lapsed || gone ? take(world, which, "ownerLost") : [];
}

function wishes(world: Begun, which: Which, place: Place): Step[] {
  if (place.final) return [];
  const isThere = world.upstream.response === "running" || world.upstream.response === "done";
  return [
    ...take(world, which, "cancel"),
    ...take(world, which, "abandon"),
    ...(isThere ? take(world, which, "attach") : []),
  ];
}

/** The worker reads the row and makes up its mind; nothing, where the machine ignores it. */
function take(
  world: Begun,
  which: Which,
  happening: Happening,
  changes: Partial<Pick<World, "upstream">> = {},
  then: Partial<Worker> = {},
): Step[] {
  const { row } = world;
  const worker = world.workers[which];
  const hand: Hand = { happening, seen: seenOf(row), snapshot: row.snapshot, mine: row.owner === worker.id };
  const to = withWorker({ ...world, ...changes }, which, then);
  if (decided(row.snapshot, happening) !== null) {
    return [say(`${name(worker)} decides on ${happening}`, withWorker(to, which, { hand }))];
  }
  const heard = Object.keys(then).length > 0 || Object.keys(changes).length > 0;
  return heard ? [say(`${name(worker)} hears ${happening}, which means nothing here`, to)] : [];
}

/** The write itself: taken, or the world has moved on and it is decided again, or dropped. */
function commit(world: World, which: Which, hand: Hand, rules: Rules): Step {
  const worker = world.workers[which];
  const { row } = world;
  if (row === null) return say(`${name(worker)} finds no request`, withWorker(world, which, { hand: null }));
  const fence = fenceOf(hand, row, worker.id, rules);
  const next = decided(hand.snapshot, hand.happening);
  if (fence === null || next === null) {
    return say(`${name(worker)} drops ${hand.happening}`, withWorker(world, which, { hand: null }));
  }
  if (!rules.takes(fence, row, hand.seen, worker.id)) return stale(world, which, hand, fence, row);
  const sendsAgain = next.effects.includes("openStream") || (rules.resends && hand.happening === "ownerLost");
  const effects = { sendsAgain, advances: next.effects.includes("advanceSession") };
  const after = written(row, hand, next.to, effects, worker.id, fence);
  const to = withWorker({ ...world, row: after }, which, {
    hand: null,
    ...(sendsAgain && { call: "ready" }),
    ...(hand.happening === "reattached" && { reading: true }),
  });
  const ownerAlive = world.workers.some(({ id, alive }) => alive && id === row.owner);
  const wrote = {
    writer: worker.id,
    happening: hand.happening,
    before: row,
    after,
    seen: hand.seen,
    ownerAlive,
  };
  return { says: `${name(worker)} writes ${hand.happening}: ${next.to.state}`, to, wrote };
}

/** As the door of the engine has it: facts and wishes are decided again, an owner's and a successor's word is not. */
function fenceOf(hand: Hand, row: Row, writer: number, rules: Rules): Fence | null {
  switch (authorityOf(hand.happening)) {
    case "owner":
      return hand.mine || rules.mayOwn(row, writer) ? "owner" : null;
    case "upstream":
      return hand.mine ? "owner" : "version";
    case "caller":
      return "version";
    case "successor":
      return "successor";
  }
}

function stale(world: World, which: Which, hand: Hand, fence: Fence, row: Row): Step {
  const worker = world.workers[which];
  if (fence === "successor") {
    return say(`${name(worker)} comes too late`, withWorker(world, which, { hand: null }));
  }
  const again: Hand = { ...hand, seen: seenOf(row), snapshot: row.snapshot, mine: row.owner === worker.id };
  return say(`${name(worker)} reads again`, withWorker(world, which, { hand: again }));
}

function written(
  row: Row,
  { happening, seen }: Hand,
  place: Place,
  effects: { sendsAgain: boolean; advances: boolean },
  writer: number,
  fence: Fence,
): Row {
  const takesLease = happening === "reattached";
  return {
    ...row,
    version: seen.version + 1,
    epoch: row.epoch + Number(fence === "successor"),
    lease: row.lease + Number(takesLease),
    snapshot: place.stored,
    owner: place.live ? (takesLease ? writer : row.owner) : null,
    lapsed: takesLease ? false : row.lapsed && place.live,
    intents: row.intents + Number(effects.sendsAgain),
    advances: row.advances + Number(effects.advances),
  };
}

/** A response that is done may be deleted by somebody, or kept no longer. */
function upstreamSteps(world: World): Step[] {
  const becomes = (response: Upstream["response"]): World => ({
    ...world,
    upstream: { ...world.upstream, response },
  });
  switch (world.upstream.response) {
    case "running":
      return [say("upstream finishes", becomes("done"))];
    case "done":
      return [say("upstream forgets the response", becomes("forgotten"))];
    default:
      return [];
  }
}

function timeSteps(world: World): Step[] {
  const { row } = world;
  if (row === null || row.owner === null || row.lapsed) return [];
  return [say("the lease runs out", { ...world, row: { ...row, lapsed: true } })];
}

/** All that it held is gone, at any moment. */
function dies(world: World, which: Which): Step[] {
  const { alive: _, id, ...held } = world.workers[which];
  const isIdle = held.call === "none" && !held.reading && held.hand === null && world.row?.owner !== id;
  // Who holds nothing and owns nothing is not missed.
  if (isIdle) return [];
  const dead: Partial<Worker> = { alive: false, call: "none", reading: false, hand: null };
  return [say(`${name(world.workers[which])} dies`, withWorker(world, which, dead))];
}

function rising(world: World, which: Which): Step[] {
  const id = world.workers[which].id + 2;
  return [say(`${letter(id)} starts in its place`, withWorker(world, which, { id, alive: true }))];
}

const say = (says: string, to: World): Step => ({ says, to, wrote: null });
const seenOf = ({ version, epoch, lease }: Row) => ({ version, epoch, lease });
const letter = (id: number) => String.fromCharCode(65 + id);
const name = ({ id }: Worker) => letter(id);

function withWorker(world: World, which: Which, changes: Partial<Worker>): World {
  const changed = { ...world.workers[which], ...changes };
  return { ...world, workers: which === 0 ? [changed, world.workers[1]] : [world.workers[0], changed] };
}
