import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Limits, withinBudget } from "../../src/advice/budget/budget.ts";
import { cutMiddle } from "../../src/advice/budget/cut.ts";
import { estimatedTokens } from "../../src/advice/budget/estimate.ts";
import { foldRepeats } from "../../src/advice/budget/repeats.ts";
import type { Material } from "../../src/advice/material.ts";
import { charsOf, messageFor } from "../../src/advice/message.ts";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import { policyOf } from "../../src/contract/policy.ts";
import { file, material } from "./material.ts";

const limits: Limits = policyOf();

function refusalOf(given: Material, within: Limits = limits): ClaimcheckError {
  try {
    withinBudget(given, within);
  } catch (error) {
    if (error instanceof ClaimcheckError) return error;
  }
  throw new Error("It was taken.");
}

describe("what fits", () => {
  test("goes as it is, and nothing is said to be trimmed", () => {
    const given = material({
      context: "x".repeat(9_000),
      files: [file("y".repeat(11_000))],
      logs: "a\na\na\na",
    });
    expect(withinBudget(given, limits)).toEqual({ material: given, trimmed: [], chars: charsOf(given) });
  });
});

describe("what does not fit is trimmed in order, and said", () => {
  test("a file above its own limit keeps its beginning and its end", () => {
    const content = `BEGIN ${"x".repeat(20_000)} END`;
    const { material: fitted, trimmed } = withinBudget(material({ files: [file(content)] }), limits);
    const [cut] = fitted.files;
    expect(cut?.content.length).toBeLessThanOrEqual(12_000);
    expect(cut?.content).toMatch(/^BEGIN [\s\S]*\[… \d+ characters left out …\][\s\S]* END$/);
    expect(trimmed).toEqual([expect.stringMatching(/^src\/a\.ts: cut from 20010 to 1\d{4} characters$/)]);
  });

  test("logs above their limit lose lines that say the same before they lose any other", () => {
    const logs = Array.from({ length: 2_000 }, (_, n) => `12:00:${n} retry ${n} of upstream`).join("\n");
    const { material: fitted, trimmed } = withinBudget(material({ logs: `first\n${logs}\nlast` }), limits);
    expect(fitted.logs).toMatch(
      /^first\n12:00:0 .*\n12:00:1 .*\n\[… 1997 similar lines left out …\]\n12:00:1999 .*\nlast$/,
    );
    expect(trimmed).toEqual(["logs: 1997 repeated lines left out"]);
  });

  test("logs of lines that all differ keep more of their end", () => {
    const words = (n: number) =>
      "abcdefghij"
        .split("")
        .map((c) => c.repeat((n % 7) + 1) + n.toString(36).replace(/\d/g, "z"))
        .join(" ");
    const logs = Array.from({ length: 900 }, (_, n) => words(n)).join("\n");
    const { material: fitted } = withinBudget(material({ logs: `${logs}\nTHE END` }), limits);
    expect(fitted.logs?.length).toBeLessThanOrEqual(10_000);
    expect(fitted.logs).toMatch(/THE END$/);
    const [head = "", tail = ""] = fitted.logs?.split(/\n\[… \d+ characters left out …\]\n/) ?? [];
    expect(tail.length).toBeGreaterThan(head.length);
  });

  test("the longest files give first, the context after them, the project's summary last", () => {
    const files = [1, 2, 3].map((n) => file("f".repeat(12_000), `${n}.ts`));
    const onlyFiles = withinBudget(material({ files, context: "c".repeat(4_000) }), limits);
    expect(onlyFiles.trimmed.map((says) => says.split(":")[0])).toEqual(["1.ts", "2.ts", "3.ts"]);
    expect(onlyFiles.material.context?.length).toBe(4_000);

    const more = withinBudget(
      material({ files, context: "c".repeat(40_000), projectSummary: "p".repeat(40_000) }),
      limits,
    );
    expect(more.trimmed.map((says) => says.split(":")[0])).toEqual([
      "1.ts",
      "2.ts",
      "3.ts",
      "context",
      "project_summary",
    ]);
    expect(more.chars).toBeLessThanOrEqual(30_000);
  });

  test("a short file is not cut for a long one's sake", () => {
    const given = material({
      files: [
        file("s".repeat(900), "short.ts"),
        ...[1, 2, 3].map((n) => file("l".repeat(12_000), `${n}.ts`)),
      ],
    });
    expect(withinBudget(given, limits).material.files[0]?.content.length).toBe(900);
  });
});

test("logs are cut below their own limit where nothing else gives way, and that is said", () => {
  const logs = Array.from(
    { length: 200 },
    (_, n) => `${"abcdefghij"[n % 10]}${"x".repeat((n % 40) + 5)}`,
  ).join("\n");
  const given = material({ question: "q".repeat(28_500), logs });
  const { material: fitted, trimmed, chars } = withinBudget(given, limits);
  expect(fitted.question).toBe(given.question);
  expect(fitted.logs?.length).toBeLessThan(logs.length);
  expect(trimmed.join()).toMatch(/logs: cut from \d+ to \d+ characters/);
  expect(chars).toBeLessThanOrEqual(30_000);
});

describe("what cannot be made to fit is refused, saying what to narrow", () => {
  test("a question that is too long by itself", () => {
    const refusal = refusalOf(material({ question: "q".repeat(30_001) }));
    expect(refusal.code).toBe("input_too_large");
    expect(refusal.message).toMatch(/only the files, the part of the diff or the section of the error/);
  });

  test("a text that fits by itself, but not with the fence that it needs", () => {
    const refusal = refusalOf(material({ files: Array.from({ length: 5 }, () => file("`".repeat(5_000))) }), {
      ...limits,
      maxFileChars: 5_000,
      maxInputChars: 15_000,
    });
    expect(refusal.code).toBe("input_too_large");
  });
});

describe("what is said to be left out is all that was left out", () => {
  const leftIn = (text: string) => [
    ...text.matchAll(/\[… (\d+) (?:characters|similar lines?) left out …\]/g),
  ];

  test("of files that are too long by themselves and too long together", () => {
    const content = "f".repeat(50_000);
    const files = [1, 2, 3, 4].map((n) => file(content, `${n}.ts`));
    const { material: fitted, trimmed } = withinBudget(material({ files }), limits);
    expect(trimmed).toHaveLength(4);
    for (const [index, cut] of fitted.files.entries()) {
      expect(trimmed[index]).toBe(`${index + 1}.ts: cut from 50000 to ${cut.content.length} characters`);
      const [[, left] = []] = leftIn(cut.content);
      expect(cut.content.replaceAll(/[^f]/g, "").length + Number(left)).toBe(50_000 + "fl".length - 1);
    }
  });

  test("of logs that are too long by themselves and too long together with the rest", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const unlike = (n: number) => `${letters[n % 26]}${letters[Math.floor(n / 26) % 26]}`;
    const lines = Array.from({ length: 200 }, (_, n) =>
      [`${n} the first waits for the second`, `${n} the second waits`, unlike(n)].join("\n"),
    );
    const logs = lines.join("\n");
    const { material: fitted, trimmed } = withinBudget(
      material({ logs, context: "c".repeat(40_000) }),
      limits,
    );
    const told = leftIn(fitted.logs ?? "").reduce((sum, [, left]) => sum + Number(left), 0);
    const stayed = (fitted.logs ?? "").split("\n").filter((line) => !line.startsWith("[…")).length;
    expect(told + stayed).toBe(logs.split("\n").length);
    expect(trimmed).toEqual([
      `logs: ${told} repeated lines left out`,
      expect.stringMatching(/^context: cut/),
    ]);
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 400 });
const dressed = fc.oneof(anyText, fc.constantFrom("`", "a `` b\n", "\n", "\0"));
const long = fc.tuple(dressed, fc.nat(60)).map(([text, times]) => text.repeat(times));
const anyMaterial = fc.record({
  preferences: fc.option(long),
  project: fc.option(long),
  projectSummary: fc.option(long),
  taskSummary: fc.option(anyText),
  constraints: fc.array(long, { maxLength: 3 }),
  question: anyText,
  expectedOutput: fc.option(anyText),
  context: fc.option(long),
  files: fc.array(fc.record({ path: anyText, language: fc.option(anyText), content: long }), {
    maxLength: 5,
  }),
  logs: fc.option(long),
});
const tight: Limits = { maxInputChars: 9_000, maxFileChars: 3_000, maxFiles: 5, maxLogChars: 2_500 };

/** Headings, fences and bullets around as many parts as there can be here. */
const mostFrame = 500;

test("whatever is given: never over a limit, the question whole, and the same once more", () => {
  let fittedOnes = 0;
  fc.assert(
    fc.property(anyMaterial, (given) => {
      let fitted: ReturnType<typeof withinBudget>;
      try {
        fitted = withinBudget(given, tight);
      } catch (error) {
        expect(error).toMatchObject({ code: "input_too_large" });
        return;
      }
      fittedOnes += 1;
      const { material: now, trimmed, chars } = fitted;
      expect(chars).toBe(charsOf(now));
      expect(chars).toBeLessThanOrEqual(tight.maxInputChars);
      expect(messageFor(now).length).toBeLessThanOrEqual(tight.maxInputChars + mostFrame);
      for (const { content } of now.files) expect(content.length).toBeLessThanOrEqual(tight.maxFileChars);
      expect(now.logs?.length ?? 0).toBeLessThanOrEqual(tight.maxLogChars);
      for (const part of ["question", "taskSummary", "constraints", "expectedOutput"] as const)
        expect(now[part]).toEqual(given[part]);
      expect(trimmed.length > 0).toBe(JSON.stringify(now) !== JSON.stringify(given));
      expect(withinBudget(now, tight).material).toEqual(now);
    }),
    { numRuns: 500 },
  );
  expect(fittedOnes).toBeGreaterThan(100);
});

test("a cut never stands inside a character, and says exactly what it left out", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 200, maxLength: 600 }),
      fc.integer({ min: 70, max: 190 }),
      (text, max) => {
        const cut = cutMiddle(text, max, 0.5);
        expect(cut.length).toBeLessThanOrEqual(max);
        const [, head = "", left = "", tail = ""] =
          /^([\s\S]*)\n\[… (\d+) characters left out …\]\n([\s\S]*)$/.exec(cut) ?? [];
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length + Number(left) + tail.length).toBe(text.length);
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
      },
    ),
  );
});

test("folding keeps lines that differ, and never makes a text longer", () => {
  expect(foldRepeats("a\nb\nc")).toEqual({ text: "a\nb\nc", folded: 0 });
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("tick 1", "tick 2", "error at x", "", "done"), { maxLength: 60 }),
      (lines) => {
        const text = lines.join("\n");
        const { text: folded } = foldRepeats(text);
        expect(folded.length).toBeLessThanOrEqual(text.length);
        for (const line of new Set(lines.filter((one) => !one.startsWith("tick"))))
          expect(folded.split("\n")).toContain(line);
      },
    ),
  );
});

test("tokens are estimated by script: four Latin characters, or one Chinese one", () => {
  expect(estimatedTokens("abcd".repeat(100))).toBe(100);
  expect(estimatedTokens("汉字".repeat(100))).toBe(200);
  expect(estimatedTokens("")).toBe(0);
});
