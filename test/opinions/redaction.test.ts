import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact } from "../../src/advice/redaction/redact.ts";
import { mask, secretKinds } from "../../src/advice/redaction/secret.ts";
import { dice } from "./corpus/chance.ts";
import { innocentSamples } from "./corpus/innocent.ts";
import { holding, ownFiles } from "./corpus/own-files.ts";
import { secretSamples, shaped } from "./corpus/secrets.ts";

describe("a secret goes, and what is around it stays", () => {
  test.each(secretSamples)("$name", ({ text, secrets, takesMore = false }) => {
    const { text: clean, counts } = redact(text);
    for (const secret of secrets) expect(clean).not.toContain(secret);
    expect(clean).toContain(mask);
    const [before = "", after = ""] = [
      text.split(secrets[0] ?? "")[0],
      text.split(secrets.at(-1) ?? "").at(-1),
    ];
    if (!takesMore && !text.includes("-----") && !text.includes("PuTTY")) {
      expect(clean.startsWith(before)).toBe(true);
      expect(clean.endsWith(after)).toBe(true);
    }
    const masks = clean.split(mask).length - 1;
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(masks);
    expect(secretKinds).toEqual(expect.arrayContaining(Object.keys(counts)));
  });
});

describe("innocent text passes byte for byte", () => {
  test("there is enough of it", () => {
    expect(innocentSamples.length).toBeGreaterThanOrEqual(300);
  });

  test.each(innocentSamples)("$kind: $text", ({ text }) => {
    expect(redact(text)).toEqual({ text, counts: {} });
  });

  test("so do this project's own files, but for those that hold made-up credentials", () => {
    const found = ownFiles()
      .map(({ path, text }) => [path, Object.values(redact(text).counts).reduce((a, b) => a + b, 0)] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(found)).toEqual(holding);
  });
});

describe("whatever the text", () => {
  /** Made of what detectors look for, so that chance alone meets their corners. */
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      "password",
      "=",
      ": ",
      '"',
      "\\",
      "\n",
    ),
    fc.constantFrom(
      "sk-",
      "ghp_",
      "Bearer ",
      "Authorization: ",
      "https://",
      "a:b@",
      mask,
      "TOKEN",
      "eyJ",
      ".",
      "{",
      "}",
    ),
    fc.nat(1_000_000).map((seed) => dice(seed).signs("abcDEF0123456789+/", 24)),
  );
  const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));

  test("taking secrets out twice takes out no more, and adds nothing but masks", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = redact(text);
        expect(redact(once.text)).toEqual({ text: once.text, counts: {} });
        const masks = Object.values(once.counts).reduce((sum, count) => sum + count, 0);
        expect(once.text.length).toBeLessThanOrEqual(text.length + masks * mask.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("no key that shows what it is survives in it", () => {
    const key = fc
      .tuple(fc.constantFrom(...shaped), fc.nat(1_000_000))
      .map(([make, seed]) => make.secret(dice(seed)));
    fc.assert(
      fc.property(
        anyText,
        key,
        fc.constantFrom(" ", "\n", '"', "(", "，", "\t"),
        anyText,
        (before, secret, gap, after) => {
          expect(redact(`${before}${gap}${secret}${gap}${after}`).text).not.toContain(secret);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("another process takes out the same", () => {
    const texts = [...secretSamples, ...innocentSamples].map(({ text }) => text);
    const script = `
      import { redact } from ${JSON.stringify(new URL("../../src/advice/redaction/redact.ts", import.meta.url).href)};
      let given = "";
      process.stdin.on("data", (chunk) => { given += chunk; });
      process.stdin.on("end", () => process.stdout.write(JSON.stringify(JSON.parse(given).map(redact))));
    `;
    const told = execFileSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script],
      {
        input: JSON.stringify(texts),
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    expect(JSON.parse(told)).toEqual(texts.map(redact));
  });
});
