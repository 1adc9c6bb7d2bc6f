import fc from "fast-check";
import { expect, it } from "vitest";
import { pageOf } from "../../src/engine/paging.ts";

function readAll(text: string, size: number): string[] {
  const pages: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = pageOf(text, offset, size);
    pages.push(page.text);
    offset = page.nextOffset;
  }
  return pages;
}

it("pages concatenate to the original, character for character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 9 }), (text, size) => {
      expect(readAll(text, size).join("")).toBe(text);
    }),
  );
});

it("no page begins or ends inside a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.integer({ min: 2, max: 5 }),
      (text, size) => {
        for (const page of readAll(text, size)) expect(page.isWellFormed()).toBe(true);
      },
    ),
  );
});

it("an offset inside a character is aligned down, and one past the end gives empty text", () => {
  expect(pageOf("a🎟️b", 2, 10)).toMatchObject({ offset: 1, text: "🎟️b" });
  expect(pageOf("abc", 99, 10)).toEqual({ offset: 3, text: "", totalChars: 3 });
});
