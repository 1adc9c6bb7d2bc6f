import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultDataDirectory } from "../../src/config/data-directory.ts";
import { withEnvFile } from "../../src/config/env-file.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import { policyKnobs, policyOf } from "../../src/contract/policy.ts";

const linux = { os: "linux", home: "/home/somebody" };
const key = "test-key-not-real";

function read(environment: Record<string, string>, needsKey = false): Config {
  return readConfig(environment, linux, { needsKey });
}

function refusalOf(environment: Record<string, string>, needsKey = false): ClaimcheckError {
  try {
    read(environment, needsKey);
  } catch (error) {
    if (error instanceof ClaimcheckError) return error;
  }
  throw new Error("The configuration was accepted.");
}

describe("an empty environment", () => {
  test("gives every default and no model", () => {
    const config = read({});
    expect(config).toEqual({
      provider: "openai",
      openai: { apiKey: null, baseUrl: "https://api.openai.com/v1", organization: null, project: null },
      ollama: {
        baseUrl: "http://127.0.0.1:11434",
        numCtx: 8_192,
        model: null,
        temperature: null,
        timeoutMs: 300_000,
      },
      anthropic: { apiKey: null, baseUrl: "https://api.anthropic.com", model: null, timeoutMs: null },
      prices: null,
      transcripts: "auto",
      defaults: { model: null, background: true, temperature: null },
      advice: {
        redactSecrets: true,
        structuredAnswers: true,
        contextDirectory: null,
        preferencesFile: null,
        projectFile: null,
        models: {},
      },
      policy: policyOf(),
      dataDirectory: "/home/somebody/.local/share/claimcheck",
      database: "/home/somebody/.local/share/claimcheck/claimcheck.db",
      waitMs: null,
      toolsets: ["core", "advice"],
      logLevel: "info",
      unknownVariables: [],
    });
  });

  test("is enough to read, and not to make paid calls", () => {
    const refusal = refusalOf({}, true);
    expect(refusal.code).toBe("key_missing");
    expect(refusal.message).toContain("OPENAI_API_KEY is required");
  });

  test("is the same as one full of empty variables", () => {
    const empty = {
      OPENAI_MODEL: "",
      CLAIMCHECK_PROVIDER: " ",
      CLAIMCHECK_MAX_LIVE: "",
      CLAIMCHECK_DATA_DIR: "",
    };
    expect(read(empty)).toEqual(read({}));
  });
});

describe("a provider", () => {
  test("needs its own key to make paid calls, and no other's", () => {
    expect(read({ CLAIMCHECK_PROVIDER: "ollama" }, true).provider).toBe("ollama");
    expect(read({ CLAIMCHECK_PROVIDER: "manual" }, true).provider).toBe("manual");
    expect(refusalOf({ CLAIMCHECK_PROVIDER: "anthropic", OPENAI_API_KEY: key }, true)).toMatchObject({
      code: "key_missing",
      message: expect.stringMatching(/ANTHROPIC_API_KEY is required/),
    });
  });

  test.each([
    ["90", 90_000],
    ["90s", 90_000],
    ["2m", 120_000],
    ["1500ms", 1_500],
  ])("takes %s for a time", (text, timeoutMs) => {
    expect(read({ OLLAMA_TIMEOUT: text }).ollama.timeoutMs).toBe(timeoutMs);
  });

  test.each(["0", "120000", "1h", "soon", "-5", "1.5"])(
    "does not take %s for one, and says the units",
    (text) => {
      expect(refusalOf({ OLLAMA_TIMEOUT: text }).message).toMatch(
        /OLLAMA_TIMEOUT must be seconds.*90s, 2m, 1500ms/,
      );
    },
  );
});

describe("a second opinion", () => {
  test("has a model of its own where its variable says so", () => {
    const { models } = read({
      CLAIMCHECK_MODEL_REVIEW_CODE: "reviewer",
      CLAIMCHECK_MODEL_DEBUG_ISSUE: "",
    }).advice;
    expect(models).toEqual({ review_code: "reviewer" });
  });

  test("reads no file from a directory that is named but not enabled", () => {
    expect(read({ CLAIMCHECK_CONTEXT_DIR: "/srv/project" }).advice.contextDirectory).toBeNull();
  });

  test("reads files from the directory that is enabled, which must be named and absolute", () => {
    const on = { CLAIMCHECK_ENABLE_FILE_CONTEXT: "on" };
    expect(read({ ...on, CLAIMCHECK_CONTEXT_DIR: "/srv/project" }).advice.contextDirectory).toBe(
      "/srv/project",
    );
    expect(refusalOf(on).message).toMatch(/CLAIMCHECK_CONTEXT_DIR must name/);
    expect(refusalOf({ ...on, CLAIMCHECK_CONTEXT_DIR: "project" }).details).toEqual({
      variables: ["CLAIMCHECK_CONTEXT_DIR"],
    });
  });
});

describe("a variable", () => {
  test.each(Object.entries(policyKnobs))(
    "of the policy, %s, is taken at both ends of its range and not beyond",
    (name, knob) => {
      // The other half of a default-and-maximum pair is put out of the way.
      const room = { CLAIMCHECK_MAX_TIMEOUT_MS: "3600000", CLAIMCHECK_MAX_OUTPUT_TOKENS: "1000000" };
      const at = (value: number) => ({ ...room, [knob.env]: String(value) });
      expect(read(at(knob.max)).policy).toHaveProperty(name, knob.max);
      expect(read(at(knob.min)).policy).toHaveProperty(name, knob.min);
      for (const outside of [knob.min - 1, knob.max + 1]) {
        const refusal = refusalOf(at(outside));
        expect(refusal.code).toBe("config_invalid");
        expect(refusal.message).toBe(
          `${knob.env} must be a whole number from ${knob.min} to ${knob.max}${knob.unit === "count" ? "" : ` (${knob.unit})`}; it is ${outside}.`,
        );
      }
    },
  );

  test.each(["1.5", "1e3", "0x10", "-1", "many", "1_000"])("that counts does not take %s", (text) => {
    expect(refusalOf({ CLAIMCHECK_MAX_LIVE: text }).details).toEqual({ variables: ["CLAIMCHECK_MAX_LIVE"] });
  });

  test("for the endpoint takes https anywhere and http only on this machine", () => {
    const baseUrl = (url: string) => read({ OPENAI_BASE_URL: url }).openai.baseUrl;
    expect(baseUrl("https://models.example/v1/")).toBe("https://models.example/v1");
    expect(baseUrl("http://127.0.0.1:4010/v1")).toBe("http://127.0.0.1:4010/v1");
    expect(baseUrl("http://[::1]:4010/v1")).toBe("http://[::1]:4010/v1");
    expect(baseUrl("http://localhost:4010")).toBe("http://localhost:4010");
    for (const refused of [
      "http://models.example/v1",
      "http://127.0.0.1.models.example/v1",
      "https://user:word@models.example/v1",
      "https://models.example/v1?key=1",
      "ftp://127.0.0.1/",
      "models.example",
    ]) {
      expect(refusalOf({ OPENAI_BASE_URL: refused }).message).toContain(
        "OPENAI_BASE_URL must be an https URL",
      );
    }
  });

  test("for the data directory takes an absolute path only", () => {
    expect(read({ CLAIMCHECK_DATA_DIR: "/srv/claims" }).database).toBe("/srv/claims/claimcheck.db");
    expect(refusalOf({ CLAIMCHECK_DATA_DIR: "claims" }).message).toContain("must be an absolute path");
  });

  test("that names a provider, a level or a toolset lists the valid ones when it is wrong", () => {
    const refusal = refusalOf({
      CLAIMCHECK_PROVIDER: "opnai",
      CLAIMCHECK_LOG_LEVEL: "loud",
      CLAIMCHECK_TOOLSETS: "core,extra",
    });
    expect(refusal.message).toContain(
      'CLAIMCHECK_PROVIDER must be one of openai, ollama, anthropic, manual; it is "opnai".',
    );
    expect(refusal.message).toContain("one of silent, error, warn, info, debug");
    expect(refusal.message).toContain("a comma-separated list of core");
  });

  test("sets what its name says", () => {
    const config = read({
      OPENAI_API_KEY: ` ${key}\n`,
      OPENAI_MODEL: "some-model",
      OPENAI_ORG_ID: "org-1",
      OPENAI_PROJECT_ID: "proj-1",
      OPENAI_TEMPERATURE: "0.5",
      CLAIMCHECK_BACKGROUND: "off",
      CLAIMCHECK_WAIT_MS: "0",
      CLAIMCHECK_LOG_LEVEL: "DEBUG",
      CLAIMCHECK_TOOLSETS: "core",
    });
    expect(config.openai).toEqual({
      apiKey: key,
      baseUrl: "https://api.openai.com/v1",
      organization: "org-1",
      project: "proj-1",
    });
    expect(config.defaults).toEqual({ model: "some-model", background: false, temperature: 0.5 });
    expect(config).toMatchObject({ waitMs: 0, logLevel: "debug", toolsets: ["core"] });
  });

  test("that looks like ours and is not is named, without its value", () => {
    expect(read({ CLAIMCHECK_MAX_LIV: "3", OTHER: "x" }).unknownVariables).toEqual(["CLAIMCHECK_MAX_LIV"]);
  });
});

describe("defaults and maximums", () => {
  test("an unset default gives way to a smaller maximum", () => {
    const { policy } = read({ CLAIMCHECK_MAX_TIMEOUT_MS: "5000", CLAIMCHECK_MAX_OUTPUT_TOKENS: "100" });
    expect(policy).toMatchObject({ timeoutMs: 5_000, outputTokens: 100 });
  });

  test("a chosen default above its maximum is refused", () => {
    const refusal = refusalOf({ CLAIMCHECK_TIMEOUT_MS: "6000", CLAIMCHECK_MAX_TIMEOUT_MS: "5000" });
    expect(refusal.message).toBe(
      "CLAIMCHECK_TIMEOUT_MS is 6000, above CLAIMCHECK_MAX_TIMEOUT_MS, which is 5000.",
    );
  });

  test("the usual name for output tokens counts, and our own goes before it", () => {
    expect(read({ OPENAI_MAX_OUTPUT_TOKENS: "500" }).policy.outputTokens).toBe(500);
    const both = { OPENAI_MAX_OUTPUT_TOKENS: "500", CLAIMCHECK_OUTPUT_TOKENS: "600" };
    expect(read(both).policy.outputTokens).toBe(600);
  });
});

describe("a refusal", () => {
  test("says everything that is wrong at once", () => {
    const refusal = refusalOf({ CLAIMCHECK_MAX_LIVE: "0", OPENAI_BASE_URL: "nowhere" }, true);
    expect(refusal.code).toBe("config_invalid");
    expect(refusal.details).toEqual({
      variables: ["OPENAI_BASE_URL", "CLAIMCHECK_MAX_LIVE", "OPENAI_API_KEY"],
    });
    expect(refusal.message.split("\n")).toHaveLength(4);
  });

  test.each([
    ["OPENAI_BASE_URL", "sk-not-a-real-key-0123456789"],
    ["CLAIMCHECK_PROVIDER", "sk-not-a-real-key-0123456789"],
    ["CLAIMCHECK_MAX_LIVE", "notarealkeyabcdefghijklmnop"],
    ["OPENAI_API_KEY", "two words"],
  ])("of %s does not repeat what may be a secret", (variable, value) => {
    const { message } = refusalOf({ [variable]: value });
    expect(message).toContain(variable);
    expect(message).not.toContain(value);
  });
});

describe("the data directory", () => {
  const at = (os: string, home: string, environment: Record<string, string> = {}) =>
    defaultDataDirectory(environment, { os, home });

  test("follows the platform", () => {
    expect(at("darwin", "/Users/a")).toBe("/Users/a/Library/Application Support/claimcheck");
    expect(at("linux", "/home/a")).toBe("/home/a/.local/share/claimcheck");
    expect(at("linux", "/home/a", { XDG_DATA_HOME: "/data" })).toBe("/data/claimcheck");
    expect(at("linux", "/home/a", { XDG_DATA_HOME: "data" })).toBe("/home/a/.local/share/claimcheck");
    expect(at("win32", "C:\\Users\\a")).toBe("C:\\Users\\a\\AppData\\Local\\claimcheck");
    expect(at("win32", "C:\\Users\\a", { LOCALAPPDATA: "D:\\Local" })).toBe("D:\\Local\\claimcheck");
  });
});

describe("--env-file", () => {
  test("gives what the environment leaves unset or empty, and nothing else", () => {
    const directory = mkdtempSync(join(tmpdir(), "claimcheck-config-"));
    try {
      const file = join(directory, "some.env");
      writeFileSync(file, 'OPENAI_MODEL="from-file"\nCLAIMCHECK_MAX_LIVE=2\nOPENAI_ORG_ID=org-file\n');
      const merged = withEnvFile({ OPENAI_MODEL: "from-environment", OPENAI_ORG_ID: "" }, file);
      expect(merged).toEqual({
        OPENAI_MODEL: "from-environment",
        CLAIMCHECK_MAX_LIVE: "2",
        OPENAI_ORG_ID: "org-file",
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("that is not there is refused by name", () => {
    expect(() => withEnvFile({}, "/nowhere/some.env")).toThrow("--env-file: /nowhere/some.env");
  });
});
