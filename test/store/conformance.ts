/**
 * The promises every store keeps, in terms of the `Store` contract alone, so that each implementation runs the
 * same suite. What only one database can promise is tested beside it.
 */
import { describe } from "vitest";
import { claims } from "./conformance/claims.ts";
import { commits } from "./conformance/commits.ts";
import { equalCalls } from "./conformance/equal-calls.ts";
import { journal } from "./conformance/journal.ts";
import { leases } from "./conformance/leases.ts";
import { limits } from "./conformance/limits.ts";
import { lists } from "./conformance/lists.ts";
import { questions } from "./conformance/questions.ts";
import { retention } from "./conformance/retention.ts";
import { sessions } from "./conformance/sessions.ts";
import { type MakeDatabase, storeTest } from "./conformance/store-test.ts";
import { totals } from "./conformance/totals.ts";
import { watching } from "./conformance/watching.ts";

/** @param makeStore makes an empty database; its `open` gives one more handle on it, as another process has */
export function storeConformance(name: string, makeStore: MakeDatabase): void {
  const test = storeTest(makeStore);
  describe(`${name} keeps the store contract`, () => {
    describe("claims", () => claims(test));
    describe("equal calls", () => equalCalls(test));
    describe("limits", () => limits(test));
    describe("commits", () => commits(test));
    describe("leases", () => leases(test));
    describe("journal", () => journal(test));
    describe("lists", () => lists(test));
    describe("sessions", () => sessions(test));
    describe("retention", () => retention(test));
    describe("totals", () => totals(test));
    describe("questions", () => questions(test));
    describe("watching", () => watching(test));
  });
}
