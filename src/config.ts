/** Environment and flags → typed settings, parsed once, at the door. Nobody else reads the environment. */
import { join } from "node:path";
import { type AdviceConfig, readAdvice } from "./config/advice.ts";
import { type AnthropicConfig, anthropicKeyMissing, readAnthropic } from "./config/anthropic.ts";
import { defaultDataDirectory, type Platform } from "./config/data-directory.ts";
import { type OllamaConfig, readOllama } from "./config/ollama.ts";
import {
  absolutePath,
  decimal,
  endpoint,
  headerText,
  oneOf,
  onOrOff,
  someOf,
  textUpTo,
  wholeNumber,
} from "./config/parsers.ts";
import { readPrices } from "./config/prices.ts";
import { createReader, type Environment, type Problem, type Reader } from "./config/reader.ts";
import { type LogLevel, logLevels, type ToolsetName, toolsetNames, variables } from "./config/variables.ts";
import { ClaimcheckError } from "./contract/errors.ts";
import { type Policy, type PolicyName, policyKnobs, policyOf } from "./contract/policy.ts";
import { type TranscriptPolicy, transcriptPolicies } from "./contract/transcripts.ts";
import type { Prices } from "./ledger/prices.ts";
import { type ProviderName, providerNames } from "./providers/registry.ts";

export interface Config {
  /** Who answers in new sessions. */
  provider: ProviderName;
  openai: OpenAIConfig;
  ollama: OllamaConfig;
  anthropic: AnthropicConfig;
  /** Whether questions are kept where the provider keeps no conversation. */
  transcripts: TranscriptPolicy;
  /** What tokens cost, from the file that the user named; null for none. */
  prices: Prices | null;
  /** What a call to OpenAI is made with when neither it nor its session says. */
  defaults: { model: string | null; background: boolean; temperature: number | null };
  advice: AdviceConfig;
  policy: Policy;
  dataDirectory: string;
  /** Absolute path of the database file. */
  database: string;
  /** How long a tool call waits, in ms; null leaves it to the host's name. */
  waitMs: number | null;
  toolsets: readonly ToolsetName[];
  logLevel: LogLevel;
  /** Variables that look like ours and are not: most likely misspelt. Names only. */
  unknownVariables: readonly string[];
}

interface OpenAIConfig {
  apiKey: string | null;
  baseUrl: string;
  organization: string | null;
  project: string | null;
}

const openaiBaseUrl = "https://api.openai.com/v1";

/**
 * Reads everything and complains once about all of it.
 *
 * @param needsKey whether paid calls will be made, so that the provider's key must be there
 * @throws {ClaimcheckError} `config_invalid`, or `key_missing` when nothing but the key is wrong
 */
export function readConfig(
  environment: Environment,
  platform: Platform,
  { needsKey }: { needsKey: boolean },
): Config {
  const reader = createReader(environment);
  const config = configFrom(reader, environment, platform);
  if (needsKey) requireKey(config, reader);
  if (reader.problems.length > 0) throw refusal(reader.problems);
  return config;
}

function configFrom(reader: Reader, environment: Environment, platform: Platform): Config {
  const dataDirectory =
    reader.read("CLAIMCHECK_DATA_DIR", absolutePath) ?? defaultDataDirectory(environment, platform);
  return {
    provider: reader.read("CLAIMCHECK_PROVIDER", oneOf(providerNames)) ?? providerNames[0],
    openai: readOpenAI(reader),
    ollama: readOllama(reader),
    anthropic: readAnthropic(reader),
    prices: readPrices(reader),
    transcripts: reader.read("CLAIMCHECK_TRANSCRIPTS", oneOf(transcriptPolicies)) ?? "auto",
    defaults: {
      model: reader.read("OPENAI_MODEL", textUpTo(256)),
      background: reader.read("CLAIMCHECK_BACKGROUND", onOrOff) ?? true,
      temperature: reader.read("OPENAI_TEMPERATURE", decimal({ min: 0, max: 2 })),
    },
    advice: readAdvice(reader),
    policy: readPolicy(reader),
    dataDirectory,
    database: join(dataDirectory, "claimcheck.db"),
    waitMs: reader.read("CLAIMCHECK_WAIT_MS", wholeNumber({ min: 0, max: 3_600_000 })),
    toolsets: reader.read("CLAIMCHECK_TOOLSETS", someOf(toolsetNames)) ?? toolsetNames,
    logLevel: reader.read("CLAIMCHECK_LOG_LEVEL", oneOf(logLevels)) ?? "info",
    unknownVariables: unknownIn(environment),
  };
}

function readOpenAI(reader: Reader): OpenAIConfig {
  return {
    apiKey: reader.read("OPENAI_API_KEY", headerText(4_096)),
    baseUrl: reader.read("OPENAI_BASE_URL", endpoint) ?? openaiBaseUrl,
    organization: reader.read("OPENAI_ORG_ID", headerText(128)),
    project: reader.read("OPENAI_PROJECT_ID", headerText(128)),
  };
}

function readPolicy(reader: Reader): Policy {
  const usualTokens = reader.read("OPENAI_MAX_OUTPUT_TOKENS", wholeNumber(policyKnobs.outputTokens));
  const given = { ...(usualTokens !== null && { outputTokens: usualTokens }), ...readKnobs(reader) };
  return withinItself(given, reader);
}

function readKnobs(reader: Reader): Partial<Policy> {
  const given: Partial<Record<PolicyName, number>> = {};
  for (const name of Object.keys(policyKnobs) as PolicyName[]) {
    const value = reader.read(policyKnobs[name].env, wholeNumber(policyKnobs[name]));
    if (value !== null) given[name] = value;
  }
  return given;
}

const boundedDefaults = [
  { usual: "timeoutMs", most: "maxTimeoutMs", setBy: [policyKnobs.timeoutMs.env] },
  {
    usual: "outputTokens",
    most: "maxOutputTokens",
    setBy: [policyKnobs.outputTokens.env, "OPENAI_MAX_OUTPUT_TOKENS"],
  },
] as const;

/** A default stays below its own maximum: one that was chosen is refused, one that was not gives way. */
function withinItself(given: Partial<Policy>, reader: Reader): Policy {
  const policy = { ...policyOf(given) };
  for (const { usual, most, setBy } of boundedDefaults) {
    if (policy[usual] <= policy[most]) continue;
    if (given[usual] === undefined) policy[usual] = policy[most];
    else
      reader.complain(
        setBy[0],
        `${setBy.join(" or ")} is ${policy[usual]}, above ${policyKnobs[most].env}, which is ${policy[most]}.`,
      );
  }
  return policy;
}

function requireKey(config: Config, reader: Reader): void {
  const needed = {
    openai: { variable: "OPENAI_API_KEY", key: config.openai.apiKey, says: keyMissing },
    anthropic: { variable: "ANTHROPIC_API_KEY", key: config.anthropic.apiKey, says: anthropicKeyMissing },
    ollama: null,
    manual: null,
  }[config.provider];
  const complainedOf = reader.problems.some(({ variable }) => variable === needed?.variable);
  if (needed?.key === null && !complainedOf) reader.complain(needed.variable, needed.says);
}

const keyMissing =
  "OPENAI_API_KEY is required with the openai provider; let the host pass it on (claimcheck config HOST shows how).";

function refusal(problems: readonly Problem[]): ClaimcheckError {
  const onlyTheKey = problems.every(({ says }) => says === keyMissing || says === anthropicKeyMissing);
  const lines = problems.map(({ says }) => `- ${says}`).join("\n");
  return new ClaimcheckError(
    onlyTheKey ? "key_missing" : "config_invalid",
    problems.length === 1 ? lines.slice(2) : `${problems.length} settings must be put right:\n${lines}`,
    { details: { variables: problems.map(({ variable }) => variable) } },
  );
}

function unknownIn(environment: Environment): string[] {
  const known = new Set(variables.map(({ env }) => env));
  return Object.keys(environment)
    .filter((name) => name.startsWith("CLAIMCHECK_") && !known.has(name))
    .sort();
}
