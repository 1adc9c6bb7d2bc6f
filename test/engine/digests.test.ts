import { expect, it } from "vitest";
import { canonicalJson, digestArguments } from "../../src/engine/digests.ts";

const key = new Uint8Array(32).fill(7);
const digest = (args: Record<string, unknown>) => digestArguments(key, args);

it("equal arguments have equal digests whatever the order of their keys", () => {
  const one = digest({ message: "hi", files: [{ path: "a", language: "ts" }] });
  const other = digest({ files: [{ language: "ts", path: "a" }], message: "hi" });
  expect(other).toEqual(one);
});

it("how long a caller waits and the id itself are not compared", () => {
  expect(digest({ message: "hi", wait_ms: 5, request_id: "x" })).toEqual(digest({ message: "hi" }));
});

it("only the field that differs has another digest", () => {
  const a = digest({ message: "hi", model: "m" });
  const b = digest({ message: "hi", model: "n" });
  expect(b.whole).not.toBe(a.whole);
  expect(b.fields["message"]).toBe(a.fields["message"]);
  expect(b.fields["model"]).not.toBe(a.fields["model"]);
});

it("the same value in two fields does not show as the same digest", () => {
  const { fields } = digest({ message: "same", instructions: "same" });
  expect(fields["message"]).not.toBe(fields["instructions"]);
});

it("a digest means nothing without the key of its database", () => {
  const other = digestArguments(new Uint8Array(32).fill(8), { message: "hi" });
  expect(other.whole).not.toBe(digest({ message: "hi" }).whole);
});

it("absent, undefined and null are told apart as JSON tells them apart", () => {
  expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  expect(digest({ message: "hi", model: undefined })).toEqual(digest({ message: "hi" }));
});

it("arguments that nest too deep are refused in words, not by an overflow", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 5_000; level += 1) deep = { a: [deep] };
  expect(() => canonicalJson(deep)).toThrow(/nest deeper than 200 levels/);
});
