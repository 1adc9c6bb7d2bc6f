/** What the cases say over and over of a request and of what upstream saw of it. */
import { expect } from "vitest";
import type { Simulator } from "../../src/simulator/simulator.ts";
import type { Told } from "./told.ts";

/** Upstream was asked to generate once in all, for this request. */
export function expectOnePost({ ledger }: Simulator, requestId: string): void {
  const { attempts, posts } = ledger;
  expect({ attempts, posts, mine: ledger.postsFor(requestId) }).toEqual({ attempts: 1, posts: 1, mine: 1 });
}

/** The same where others are asked at the same time. */
export function expectOwnPost({ ledger }: Simulator, requestId: string): void {
  const mine = ledger.requests.filter(
    ({ method, headers, path }) =>
      method === "POST" && path === "/v1/responses" && headers["x-client-request-id"] === requestId,
  );
  expect({ attempts: mine.length, posts: ledger.postsFor(requestId) }).toEqual({ attempts: 1, posts: 1 });
}

/** Nobody knows whether it was made: it may have been billed, and these are the ways on. */
export function expectUnknown(answer: Told, requestId: string): void {
  expect(answer).toMatchObject({ isError: true, status: "unknown_outcome", request_id: requestId });
  expect(answer["next"]).toMatch(/may have been made and billed/);
  expect(answer["next"]).toContain(`request_status {"action":"abandon","request_id":"${requestId}"}`);
  expect(answer["next"]).toContain(
    `request_status {"action":"attach","request_id":"${requestId}","response_id":`,
  );
  expect(answer).not.toHaveProperty("text");
}
