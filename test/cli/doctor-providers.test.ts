/** What the doctor says of providers other than OpenAI's. */
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/world.ts";
import { examinedHere } from "./support/doctor.ts";

const at = (environment: Record<string, string>) =>
  examinedHere({ CLAIMCHECK_DATA_DIR: temporaryDirectory(), ...environment });

describe("with another provider", () => {
  test("ollama needs no key and has an address", async () => {
    const { code, checks } = await at({ CLAIMCHECK_PROVIDER: "ollama", OLLAMA_MODEL: "llama3.2" });
    expect(code).toBe(0);
    expect(checks["key"]).toMatchObject({ verdict: "ok", says: expect.stringContaining("needs no key") });
    expect(checks["model"]?.says).toContain("llama3.2");
    expect(checks["base url"]?.says).toContain("http://127.0.0.1:11434");
    expect(checks["retrieve"]).toMatchObject({
      verdict: "skip",
      says: expect.stringContaining("unknown outcome"),
    });
  });

  test("a model that is not set is said to be so", async () => {
    const { checks } = await at({ CLAIMCHECK_PROVIDER: "ollama" });
    expect(checks["model"]?.says).toContain("OLLAMA_MODEL is not set");
  });

  test("anthropic needs its own key, which is never shown", async () => {
    const without = await at({ CLAIMCHECK_PROVIDER: "anthropic", OPENAI_API_KEY: "test-key-not-real" });
    expect(without.code).toBe(1);
    expect(without.checks["key"]).toMatchObject({
      verdict: "fail",
      says: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    const withKey = await at({ CLAIMCHECK_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "other-key-not-real" });
    expect(withKey.code).toBe(0);
    expect(JSON.stringify(withKey.checks)).not.toContain("other-key");
  });

  test("a person needs nothing at all", async () => {
    const { code, checks } = await at({ CLAIMCHECK_PROVIDER: "manual" });
    expect(code).toBe(0);
    expect(checks["base url"]?.says).toContain("Nothing is sent");
  });
});
