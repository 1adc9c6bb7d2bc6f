/** Where the key may travel, and what stands for it. */
import { describe, expect, test } from "vitest";
import { endpointOf } from "../../src/providers/openai/endpoint.ts";
import { createProviders, providerNamed, providerNames } from "../../src/providers/registry.ts";
import { providerAt, testKey } from "./support/provider.ts";

const at = (baseUrl: string, apiKey = testKey) => endpointOf({ baseUrl, apiKey });
const policy = { firstByteMs: 1_000, idleMs: 1_000, maxResultBytes: 1_024 * 1_024 };

describe("a base URL", () => {
  test.each([
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1"],
    ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"],
    ["http://127.8.9.10/v1", "http://127.8.9.10/v1"],
    ["http://localhost:1234", "http://localhost:1234"],
    ["http://[::1]:1234/v1", "http://[::1]:1234/v1"],
  ])("%s is taken", (given, taken) => {
    expect(at(given).baseUrl).toBe(taken);
  });

  test.each([
    "",
    "api.openai.com",
    "http://api.openai.com/v1",
    "http://192.168.1.4/v1",
    "http://127.0.0.1.example.com/v1",
    "http://localhost.example.com/v1",
    "ftp://127.0.0.1/v1",
    "file:///etc/passwd",
    "https://user:word@api.openai.com/v1",
    "https://api.openai.com/v1?key=x",
    "https://api.openai.com/v1#x",
  ])("%j is refused, by the variable's name", (given) => {
    expect(() => at(given)).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringContaining("OPENAI_BASE_URL"),
      }),
    );
  });
});

describe("a key", () => {
  test("that is missing is asked for", () => {
    expect(() => at("https://api.openai.com/v1", "")).toThrow(
      expect.objectContaining({ code: "key_missing" }),
    );
  });

  test.each(["test-key\nnot-real", "test-key not-real", "test-key-not-rëal"])(
    "%j is refused without being quoted",
    (key) => {
      const refused = () => at("https://api.openai.com/v1", key);

      expect(refused).toThrow(expect.objectContaining({ code: "config_invalid" }));
      expect(refused).toThrow(expect.objectContaining({ message: expect.not.stringContaining("test-key") }));
    },
  );
});

describe("a fingerprint", () => {
  const print = at("https://api.openai.com/v1").fingerprint;

  test("is short, and the same every time", () => {
    expect(print).toMatch(/^[0-9a-f]{16}$/);
    expect(at("https://api.openai.com/v1/").fingerprint).toBe(print);
    expect(providerAt("https://api.openai.com/v1").fingerprint).toBe(print);
  });

  test("is another for another key or another address", () => {
    expect(at("https://api.openai.com/v1", "test-key-not-real-either").fingerprint).not.toBe(print);
    expect(at("https://api.example.com/v1").fingerprint).not.toBe(print);
  });
});

describe("the registry", () => {
  const openai = { apiKey: testKey, baseUrl: "https://api.openai.com/v1", organization: null };
  const anthropic = { apiKey: testKey, baseUrl: "https://api.anthropic.com", timeoutMs: null };
  const ollama = { baseUrl: "http://127.0.0.1:11434", numCtx: 8_192, timeoutMs: 300_000 };

  test("makes every provider there is", () => {
    const providers = createProviders({ openai, ollama, anthropic, policy });

    expect([...providers.keys()]).toEqual([...providerNames]);
    expect(providers.get("openai")).toMatchObject({
      name: "openai",
      capabilities: {
        retrieve: true,
        background: true,
        cancel: true,
        chaining: true,
        schema: true,
      },
    });
  });

  test("refuses a name that is none, and lists those that are", () => {
    expect(() => createProviders({ openai, ollama, anthropic, policy }, ["openia"])).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(/"openia".*openai/),
        details: expect.objectContaining({ valid: [...providerNames] }),
      }),
    );
  });

  test("takes no name for the first", () => {
    expect(providerNamed("")).toBe("openai");
  });

  test("asks for a key that is missing", () => {
    expect(() =>
      createProviders({
        openai: { ...openai, apiKey: null },
        ollama,
        anthropic,
        policy,
      }),
    ).toThrow(expect.objectContaining({ code: "key_missing" }));
  });
});
