/**
 * Who follows which resources, and telling them of changes, whichever process made them. The store only hints that
 * somebody may have written, so what is followed is looked at and compared. While nobody follows, nothing is done.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { orRefusal } from "../refusal.ts";
import type { CallParts } from "../tool-call.ts";
import { markOf } from "./mark.ts";

export const mostFollowed = 100;

/** Commits come in bursts, and one look is enough for all of them; in ms. */
const restMs = 100;
/** When the store could not be looked at, no hint may come again; in ms. */
const retryMs = 1_000;

/** What a follower is known by: unique within the connection. */
export type FollowerId = string | number;

export interface Followers {
  /**
   * From now on `tell` is called for each of these URIs that changes; what `id` followed before is let go. Resolves
   * when what the resources are now is known, so that nothing after it is missed; false if `id` was let go meanwhile.
   *
   * @throws {ProtocolError} when too much is followed, or the store cannot be opened
   */
  follow(id: FollowerId, uris: readonly string[], tell: (uri: string) => void): Promise<boolean>;
  letGo(id: FollowerId): void;
  /** Lets everybody go. */
  close(): void;
}

interface Follower {
  uris: readonly string[];
  tell: (uri: string) => void;
  /** What each resource was when it was last looked at; empty until the first look. */
  marks: Map<string, string | undefined>;
}

export function createFollowers(parts: CallParts): Followers {
  const followers = new Map<FollowerId, Follower>();
  const inTurn = oneAfterAnother();
  const soon = soonest(() => inTurn(lookAtAll));
  let unwatch: (() => void) | undefined;

  async function follow(id: FollowerId, given: readonly string[], tell: (uri: string) => void) {
    const follower: Follower = { uris: [...new Set(given)], tell, marks: new Map() };
    refuseTooMany(new Map(followers).set(id, follower));
    followers.set(id, follower);
    const isThere = () => followers.get(id) === follower;
    try {
      await orRefusal(parts, { name: "the subscription" }, () => inTurn(() => begin(follower)));
      return isThere();
    } catch (error) {
      if (!isThere()) return false;
      letGo(id);
      throw error;
    }
  }

  /** Hints are listened to before the first look, so that nothing falls between the two. */
  async function begin(follower: Follower) {
    const connected = await parts.engine();
    if (followers.size > 0) unwatch ??= connected.watch(() => soon.call());
    follower.marks = await look(follower.uris);
  }

  async function lookAtAll() {
    const seen = await look([...new Set(followedBy(followers))]);
    for (const follower of followers.values()) compare(follower, seen);
  }

  async function look(uris: readonly string[]) {
    const seen = new Map<string, string | undefined>();
    for (const uri of uris) seen.set(uri, await markOf(parts.engine, uri));
    if (followers.size > 0 && [...seen.values()].includes(undefined)) soon.call(retryMs);
    return seen;
  }

  function letGo(id: FollowerId) {
    followers.delete(id);
    if (followers.size > 0) return;
    unwatch?.();
    unwatch = undefined;
    soon.stop();
  }

  return {
    follow,
    letGo,
    close: () => {
      for (const id of [...followers.keys()]) letGo(id);
    },
  };
}

/** Tells what changed since the follower's last look; what cannot be looked at now is compared when it can. */
function compare({ tell, marks }: Follower, seen: ReadonlyMap<string, string | undefined>) {
  for (const [uri, before] of marks) {
    const now = seen.get(uri);
    if (now === undefined || now === before) continue;
    marks.set(uri, now);
    tell(uri);
  }
}

function followedBy(followers: ReadonlyMap<FollowerId, Follower>): string[] {
  return [...followers.values()].flatMap(({ uris }) => uris);
}

function refuseTooMany(followers: ReadonlyMap<FollowerId, Follower>) {
  const wanted = followedBy(followers).length;
  if (wanted <= mostFollowed) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `At most ${mostFollowed} resources can be followed at once, and this would make ${wanted}. End a subscription that is no longer needed, or follow a session instead of each of its requests.`,
    { limit: mostFollowed },
  );
}

/** Runs what it is given in turn, so that a later look never reports something older. */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return (act: () => Promise<void>): Promise<void> => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
}

/** Calls back soon after it was called, once for all the calls until then. Never keeps the process alive. */
function soonest(act: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    call: (ms = restMs) => {
      timer ??= setTimeout(() => {
        timer = undefined;
        act().catch(() => {});
      }, ms).unref();
    },
    stop,
  };
}
