import { expect, describe as group, test } from "vitest";
import type { Failure } from "../../machines/evidence.ts";
import { deadline, predecessor, sample, soon, start } from "./samples.ts";
import { tell } from "./story.ts";

const refusedConnection: Failure = { code: "connection_failed", cause: "ECONNREFUSED" };
const unstarted = (retryAt: number | null, failure = refusedConnection) =>
  sample("upstream.unstarted", { failure, retryAt });

group("an attempt that provably never started", () => {
  test("is tried again when its delay is over, and counted", () => {
    const waiting = tell([unstarted(soon)]);
    expect(waiting.state).toBe("claimed.deferred");
    expect(waiting.effects).toEqual([{ type: "awaitRetry", until: soon }]);

    const again = tell([unstarted(soon), sample("retry.due")]);
    expect(again).toMatchObject({ state: "claimed.sending", context: { attempts: 2 } });
    expect(again.effects).toEqual([{ type: "openStream" }]);
  });

  test("is not tried again when the delay reaches the deadline: it fails at once and says until when to wait", () => {
    const tooFast: Failure = { code: "rate_limited", status: 429, retryAfterS: 120 };
    expect(tell([unstarted(deadline - 1, tooFast)]).state).toBe("claimed.deferred");
    expect(tell([unstarted(deadline, tooFast)])).toMatchObject({
      state: "failed",
      context: { failure: tooFast },
    });
  });

  test("fails with its evidence when it is not worth another try, or tries are used up", () => {
    expect(tell([unstarted(null)])).toMatchObject({
      state: "failed",
      context: { failure: refusedConnection },
    });
    const usedUp = tell([unstarted(soon), sample("retry.due"), unstarted(soon)], { maxAttempts: 2 });
    expect(usedUp).toMatchObject({ state: "failed", context: { attempts: 2, failure: refusedConnection } });
  });

  test("for a predecessor that cannot be found yet is tried again only while read lag explains it", () => {
    const missing: Failure = { code: "predecessor_missing", status: 400 };
    const young = { predecessor, predecessorRetryUntil: start + 30_000 };
    expect(tell([unstarted(start + 30_000, missing)], young).state).toBe("claimed.deferred");
    expect(tell([unstarted(start + 30_001, missing)], young)).toMatchObject({
      state: "failed",
      context: { failure: missing },
    });
    expect(tell([unstarted(soon, missing)], { predecessor }).state).toBe("failed");
  });

  test.each(["deadline.passed", "lease.expired", "caller.cancelled"] as const)(
    "ends as not sent on %s, with the evidence of the attempt that failed",
    (type) => {
      const { state, context } = tell([unstarted(soon), sample(type)]);
      expect(state).toBe("failed");
      expect(context.failure).toEqual({ code: "not_sent", cause: "ECONNREFUSED" });
    },
  );

  test("leaves no trace of its failure once upstream has accepted", () => {
    const { context } = tell([unstarted(soon), sample("retry.due"), sample("upstream.accepted")]);
    expect(context.failure).toBeNull();
  });

  test("is not tried again once the caller has asked to cancel", () => {
    const { state, asked } = tell([sample("caller.cancelled"), unstarted(soon), sample("retry.due")]);
    expect(asked).toEqual(["openStream"]);
    expect(state).toBe("failed");
  });

  test("is not tried again by a process that slept past the deadline", () => {
    const { state, asked } = tell([unstarted(soon), sample("retry.due", { at: deadline + 1 })]);
    expect(asked).toEqual(["openStream", "awaitRetry"]);
    expect(state).toBe("failed");
  });
});

group("a call whose fate nobody knows", () => {
  test.each(["upstream.lost", "deadline.passed", "lease.expired"] as const)(
    "is never sent again after %s",
    (type) => {
      const { state, asked } = tell([sample(type), sample("retry.due"), unstarted(soon)]);
      expect(asked).toEqual(["openStream"]);
      expect(state).not.toMatch(/^claimed/);
    },
  );

  test("says what contact was lost to", () => {
    expect(tell([sample("upstream.lost", { cause: "first_byte_timeout" })]).context.lostTo).toBe(
      "first_byte_timeout",
    );
    expect(tell([sample("deadline.passed")]).context.lostTo).toBe("deadline");
    expect(tell([sample("lease.expired")]).context.lostTo).toBe("owner_lost");
  });
});
