/**
 * Every environment variable there is: what it takes, what it is when unset and what it is for. The parser reads
 * this table, `.env.example` is printed from it, and a variable of ours that is not in it is reported as unknown.
 */
import { opinionTools } from "../contract/opinion-tools.ts";
import { policyKnobs } from "../contract/policy.ts";
import { transcriptPolicies } from "../contract/transcripts.ts";
import { providerNames } from "../providers/registry.ts";
import { modelVariable } from "./advice.ts";
import { anthropicBaseUrl, anthropicTimeoutRange } from "./anthropic.ts";
import { numCtxRange, ollamaBaseUrl, ollamaTimeoutMs, ollamaTimeoutRange } from "./ollama.ts";

export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Groups of tools that exist. */
export const toolsetNames = ["core", "advice"] as const;
export type ToolsetName = (typeof toolsetNames)[number];

export interface Variable {
  env: string;
  /** What it is when unset, in words or as the value itself. */
  fallback: string;
  /** What it takes, ready for "must be …". */
  takes: string;
  purpose: string;
}

const openai: Variable[] = [
  {
    env: "OPENAI_API_KEY",
    fallback: "none",
    takes: "an API key on one line, without spaces",
    purpose:
      "Required to start with the openai provider. Better inherited from the host than written to a file.",
  },
  {
    env: "OPENAI_MODEL",
    fallback: "none",
    takes: "a model name of 1 to 256 characters",
    purpose: "Model of a call that names none and whose session has none. No model is ever picked silently.",
  },
  {
    env: "OPENAI_BASE_URL",
    fallback: "https://api.openai.com/v1",
    takes: "an https URL, or http on a loopback address, without user, query or fragment",
    purpose: "Where the Responses API is.",
  },
  {
    env: "OPENAI_ORG_ID",
    fallback: "none",
    takes: "an organisation id of 1 to 128 characters without spaces",
    purpose: "Sent as the organisation when set.",
  },
  {
    env: "OPENAI_PROJECT_ID",
    fallback: "none",
    takes: "a project id of 1 to 128 characters without spaces",
    purpose: "Sent as the project when set.",
  },
  {
    env: "OPENAI_MAX_OUTPUT_TOKENS",
    fallback: "none",
    takes: rangeOf(policyKnobs.outputTokens),
    purpose: `Output tokens of a call that does not say, under its usual name; ${policyKnobs.outputTokens.env} goes before it.`,
  },
  {
    env: "OPENAI_TEMPERATURE",
    fallback: "none",
    takes: "a number from 0 to 2",
    purpose: "Sent with every call when set; many reasoning models refuse it.",
  },
];

const ollama: Variable[] = [
  {
    env: "OLLAMA_BASE_URL",
    fallback: ollamaBaseUrl,
    takes: "an https URL, or http on a loopback address, without user, query or fragment",
    purpose: "Where Ollama's own API is.",
  },
  {
    env: "OLLAMA_MODEL",
    fallback: "none",
    takes: "a model name of 1 to 256 characters",
    purpose: "Model of a call to ollama that names none and whose session has none.",
  },
  {
    env: "OLLAMA_NUM_CTX",
    fallback: String(numCtxRange.fallback),
    takes: `a whole number from ${numCtxRange.min} to ${numCtxRange.max} (tokens)`,
    purpose: "Context each call asks for; Ollama cuts what does not fit without a word.",
  },
  {
    env: "OLLAMA_TEMPERATURE",
    fallback: "none",
    takes: "a number from 0 to 2",
    purpose: "Sent with every call to ollama when set.",
  },
  {
    env: "OLLAMA_TIMEOUT",
    fallback: `${ollamaTimeoutMs / 1_000}s`,
    takes: `seconds from ${ollamaTimeoutRange.min / 1_000} to ${ollamaTimeoutRange.max / 1_000}, or with a unit: 90s, 2m, 1500ms`,
    purpose: "Deadline of a request to ollama, loading the model included.",
  },
];

const anthropic: Variable[] = [
  {
    env: "ANTHROPIC_API_KEY",
    fallback: "none",
    takes: "an API key on one line, without spaces",
    purpose: "Required to start with the anthropic provider; with another one it makes anthropic usable too.",
  },
  {
    env: "ANTHROPIC_MODEL",
    fallback: "none",
    takes: "a model name of 1 to 256 characters",
    purpose: "Model of a call to anthropic that names none and whose session has none.",
  },
  {
    env: "ANTHROPIC_BASE_URL",
    fallback: anthropicBaseUrl,
    takes: "an https URL, or http on a loopback address, without user, query or fragment",
    purpose: "Where the Messages API is.",
  },
  {
    env: "ANTHROPIC_TIMEOUT",
    fallback: "that of every request",
    takes: `seconds from ${anthropicTimeoutRange.min / 1_000} to ${anthropicTimeoutRange.max / 1_000}, or with a unit: 90s, 2m, 1500ms`,
    purpose: "Deadline of a request to anthropic.",
  },
];

const server: Variable[] = [
  {
    env: "CLAIMCHECK_PROVIDER",
    fallback: providerNames[0],
    takes: `one of ${providerNames.join(", ")}`,
    purpose: "Who answers in new sessions.",
  },
  {
    env: "CLAIMCHECK_PRICES",
    fallback: "none",
    takes: "an absolute path",
    purpose: "A JSON file of what tokens cost, by model; without it there is no word of cost.",
  },
  {
    env: "CLAIMCHECK_TRANSCRIPTS",
    fallback: "auto",
    takes: `one of ${transcriptPolicies.join(", ")}`,
    purpose:
      "Whether questions are stored where the provider keeps no conversation, so that a session can go on; off for nowhere.",
  },
  {
    env: "CLAIMCHECK_DATA_DIR",
    fallback: "the platform's data directory, then /claimcheck",
    takes: "an absolute path",
    purpose: "Where claimcheck.db lives. Local disks only.",
  },
  {
    env: "CLAIMCHECK_WAIT_MS",
    fallback: "by host",
    takes: "a whole number from 0 to 3600000 (ms)",
    purpose: "How long a tool call waits before it returns a receipt; the work goes on.",
  },
  {
    env: "CLAIMCHECK_BACKGROUND",
    fallback: "on",
    takes: "on or off",
    purpose: "Whether calls run in the background upstream; off means a cut connection loses the answer.",
  },
  {
    env: "CLAIMCHECK_TOOLSETS",
    fallback: toolsetNames.join(","),
    takes: `a comma-separated list of ${toolsetNames.join(", ")}`,
    purpose: "Which tools are listed.",
  },
  {
    env: "CLAIMCHECK_LOG_LEVEL",
    fallback: "info",
    takes: `one of ${logLevels.join(", ")}`,
    purpose: "What goes to stderr, as JSON lines: metadata only. Stack traces at debug only.",
  },
];

const advice: Variable[] = [
  ...opinionTools.map((tool) => ({
    env: modelVariable(tool),
    fallback: "the provider's",
    takes: "a model name of 1 to 256 characters",
    purpose: `Model of ${tool} where neither call nor session names one.`,
  })),
  {
    env: "CLAIMCHECK_STRUCTURED_ANSWERS",
    fallback: "on",
    takes: "on or off",
    purpose:
      "Whether second opinions are held to a JSON schema where the provider can; off for models that refuse one.",
  },
  {
    env: "CLAIMCHECK_REDACT_SECRETS",
    fallback: "on",
    takes: "on or off",
    purpose: "Whether keys, tokens and passwords are taken out of what second opinions send.",
  },
  {
    env: "CLAIMCHECK_PREFERENCES_FILE",
    fallback: "none",
    takes: "an absolute path",
    purpose: "Text that goes before every second opinion: how you like to work.",
  },
  {
    env: "CLAIMCHECK_PROJECT_FILE",
    fallback: "none",
    takes: "an absolute path",
    purpose: "Text that goes after it: what the project is.",
  },
  {
    env: "CLAIMCHECK_ENABLE_FILE_CONTEXT",
    fallback: "off",
    takes: "on or off",
    purpose: "Whether files named without their content are read from CLAIMCHECK_CONTEXT_DIR.",
  },
  {
    env: "CLAIMCHECK_CONTEXT_DIR",
    fallback: "none",
    takes: "an absolute path",
    purpose: "The one directory that named files may be read from.",
  },
];

const policy: Variable[] = Object.values(policyKnobs).map((knob) => ({
  env: knob.env,
  fallback: String(knob.fallback),
  takes: rangeOf(knob),
  purpose: knob.purpose,
}));

/** In the order in which `.env.example` shows them. */
export const variableGroups: readonly { title: string; variables: readonly Variable[] }[] = [
  { title: "OpenAI", variables: openai },
  { title: "Ollama", variables: ollama },
  { title: "Anthropic", variables: anthropic },
  { title: "The server", variables: server },
  { title: "Second opinions", variables: advice },
  { title: "Limits and times", variables: policy },
];

export const variables: readonly Variable[] = variableGroups.flatMap((group) => group.variables);

function rangeOf(knob: { min: number; max: number; unit: string }): string {
  const unit = knob.unit === "count" ? "" : ` (${knob.unit})`;
  return `a whole number from ${knob.min} to ${knob.max}${unit}`;
}
