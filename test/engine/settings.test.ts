import { expect, it } from "vitest";
import { policyOf } from "../../src/contract/policy.ts";
import { checkInputSize, effectiveSettings } from "../../src/engine/settings.ts";

const defaults = { provider: "openai" };
const policy = policyOf();

it("a call overrides its session, and the session overrides the server", () => {
  const settings = effectiveSettings(
    { model: "session-model", verbosity: "low" },
    { model: "call-model" },
    { ...defaults, model: "server-model" },
    policy,
  );
  expect(settings).toMatchObject({
    model: "call-model",
    verbosity: "low",
    background: true,
    max_output_tokens: 8_192,
  });
});

it("no model is ever picked silently: the error names both ways to set one", () => {
  expect(() => effectiveSettings({}, {}, defaults, policy)).toThrow(/`model`.*OPENAI_MODEL/);
});

it("what was not given is not made up", () => {
  const settings = effectiveSettings({}, { model: "m" }, defaults, policy);
  expect(settings).not.toHaveProperty("reasoning_effort");
  expect(settings).not.toHaveProperty("temperature");
});

it.each([
  ["max_output_tokens", { max_output_tokens: 32_769 }],
  ["timeout_ms", { timeout_ms: 600_001 }],
])("%s above the configured maximum is refused by name", (field, call) => {
  expect(() => effectiveSettings({}, { model: "m", ...call }, defaults, policy)).toThrow(new RegExp(field));
});

it("the input limit counts UTF-8 bytes of message and instructions together", () => {
  expect(() => checkInputSize("é".repeat(50), "x", 100)).toThrow(/101 bytes, the limit is 100/);
  expect(() => checkInputSize("é".repeat(50), null, 100)).not.toThrow();
});
