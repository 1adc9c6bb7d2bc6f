import { expect, it } from "vitest";
import { begin, decide } from "../../machines/decide.ts";
import { cancelAskMs } from "../../machines/request.ts";

const input = {
  background: true,
  retrievable: true,
  predecessor: null,
  deadlineAt: 1_000_000,
  predecessorRetryUntil: 0,
  maxAttempts: 5,
};

it("an asking to cancel whose asker died can be repeated by a later wish, and not before", () => {
  const started = decide(begin(input).next, {
    type: "upstream.accepted",
    at: 1,
    responseId: "resp_1",
    model: null,
    sequence: 0,
    echo: { store: true, background: true },
  });
  const lost = decide(started.next, { type: "upstream.lost", at: 2, cause: "reset" });
  const asked = decide(lost.next, { type: "caller.cancelled", at: 1_000 });
  expect(asked.effects).toContainEqual({ type: "cancelUpstream", responseId: "resp_1" });
  expect(decide(asked.next, { type: "caller.cancelled", at: 2_000 }).changed).toBe(false);
  const again = decide(asked.next, { type: "caller.cancelled", at: 1_000 + cancelAskMs });
  expect(again.effects).toContainEqual({ type: "cancelUpstream", responseId: "resp_1" });
});
