import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { examinedHere, wellFor } from "./support/doctor.ts";

test("everything wrong with the settings is told at once, and the rest is looked at all the same", async () => {
  const dataDir = temporaryDirectory();

  const { code, checks } = await examinedHere(
    wellFor(dataDir, {
      CLAIMCHECK_MAX_LIVE: "none",
      CLAIMCHECK_WAIT_MS: "-1",
      OPENAI_MAX_OUTPUT_TOKENS: "90000",
      CLAIMCHECK_MAX_LIV: "3",
    }),
  );

  expect(code).toBe(1);
  const lines = checks["settings"]?.says.split("\n") ?? [];
  for (const name of [
    "CLAIMCHECK_MAX_LIVE must",
    "CLAIMCHECK_WAIT_MS must",
    "OPENAI_MAX_OUTPUT_TOKENS is 90000",
  ])
    expect(lines.filter((line) => line.includes(name))).toHaveLength(1);
  expect(lines).toContain("CLAIMCHECK_MAX_LIV is no setting of claimcheck's. Is CLAIMCHECK_MAX_LIVE meant?");
  expect(checks["directory"]).toMatchObject({ verdict: "ok", says: expect.stringContaining(dataDir) });
});

test("a misspelt variable is a warning that names the one that was meant", async () => {
  const { code, checks } = await examinedHere(wellFor(temporaryDirectory(), { CLAIMCHECK_TIMEOUT: "5000" }));
  expect(code).toBe(0);
  expect(checks["settings"]).toMatchObject({
    verdict: "warn",
    says: expect.stringContaining("CLAIMCHECK_TIMEOUT_MS meant"),
  });
});

test("a data directory that is no absolute path is not replaced by another one", async () => {
  const { code, checks } = await examinedHere(wellFor("here/or/there"));
  expect(code).toBe(1);
  for (const name of ["directory", "privacy", "disk", "database", "leases", "unresolved"])
    expect(checks[name]).toMatchObject({ verdict: "skip" });
});

describe("of the key", () => {
  /** Of a length that no other number on the page has. */
  const long = "x".repeat(4_100);
  const shapes: [string, string][] = [
    ["with a control character", `marked-\u0007-secret-${long}`],
    ["over two lines", `marked-secret\n${long}`],
    ["with a space", `marked-secret ${long}`],
    ["that is well", `marked-secret-${long.slice(0, 4_000)}`],
  ];

  test.each(shapes)("one %s, nothing is told but that it is there", async (_, key) => {
    const environment = wellFor(temporaryDirectory(), { OPENAI_API_KEY: key });
    const { printed, checks } = await examinedHere(environment);
    const { stdout, stderr } = await claimcheck(["doctor"], environment);

    expect(checks["key"]?.says).toMatch(/^OPENAI_API_KEY is set/);
    for (const text of [printed, stdout, stderr]) {
      for (const part of key.split(/[^a-z]+/).filter((word) => word.length > 0))
        expect(text).not.toContain(part);
      expect(text).not.toMatch(new RegExp(`\\b${key.length}\\b`));
    }
  });
});

describe("of the base URL", () => {
  const wrong: [string, string, RegExp][] = [
    [
      "a password in it",
      "https://somebody:pass-word@api.example.com/v1",
      /^https:\/\/api\.example\.com\/v1 has a user or password/,
    ],
    [
      "a query in it",
      "https://api.example.com/v1?token=pass-word",
      /^https:\/\/api\.example\.com\/v1 has a query/,
    ],
    [
      "no encryption to another machine",
      "http://api.example.com/v1",
      /^http:\/\/api\.example\.com\/v1 would carry the key unencrypted/,
    ],
    ["no URL at all", "pass-word", /is not a URL/],
  ];

  test.each(wrong)("one with %s is shown without it, and said to be wrong", async (_, url, says) => {
    const { code, printed, checks } = await examinedHere(
      wellFor(temporaryDirectory(), { OPENAI_BASE_URL: url }),
    );
    expect(code).toBe(1);
    expect(checks["base url"]).toMatchObject({ verdict: "fail", says: expect.stringMatching(says) });
    expect(printed).not.toContain("pass-word");
  });

  test("the default is told as the default", async () => {
    const { checks } = await examinedHere(wellFor(temporaryDirectory()));
    expect(checks["base url"]?.says).toBe("https://api.openai.com/v1, the default.");
  });
});
