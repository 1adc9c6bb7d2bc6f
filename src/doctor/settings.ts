/** What the environment says: everything wrong with it at once, and what is right of it all the same. */
import type { Platform } from "../config/data-directory.ts";
import type { Environment } from "../config/reader.ts";
import { variables } from "../config/variables.ts";
import { type Config, readConfig } from "../config.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import { nearestName } from "../mcp/nearest-name.ts";
import { type Finding, fail, ok, warn } from "./check.ts";
import { counted, listed } from "./words.ts";

export interface Settings {
  /** What is left when the wrong variables are taken for unset, so that one of them hides nothing else. */
  config: Config;
  wrong: readonly string[];
  /** A sentence for each thing wrong. */
  complaints: readonly string[];
  /** Names of those that are set, misspelt ones not among them. */
  set: readonly string[];
}

export function readSettings(environment: Environment, platform: Platform): Settings {
  const set = variables.map(({ env }) => env).filter((name) => (environment[name]?.trim() ?? "") !== "");
  try {
    const config = readConfig(environment, platform, { needsKey: false });
    return { config, wrong: [], complaints: [], set };
  } catch (error) {
    if (!(error instanceof ClaimcheckError)) throw error;
    const wrong = variablesOf(error);
    const config = readConfig(without(environment, wrong), platform, { needsKey: false });
    return { config, wrong, complaints: complaintsOf(error), set };
  }
}

function variablesOf({ details }: ClaimcheckError): string[] {
  const named = details["variables"];
  return Array.isArray(named) ? named.filter((name) => typeof name === "string") : [];
}

/** Of two names of one limit the complaint is filed under the first, so the second goes with it. */
function without(environment: Environment, names: readonly string[]): Environment {
  const left = new Set([...names, "OPENAI_MAX_OUTPUT_TOKENS"]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)));
}

function complaintsOf({ message }: ClaimcheckError): string[] {
  const [first = "", ...listedOnes] = message.split("\n- ");
  return (listedOnes.length === 0 ? [first] : listedOnes).map(withoutSizeOfKey);
}

/** Not even how long the key is. */
function withoutSizeOfKey(complaint: string): string {
  return complaint.startsWith("OPENAI_API_KEY ") ? complaint.replace(/; it is .*$/, ".") : complaint;
}

export function checkSettings({ config, complaints, set }: Settings): Finding {
  const misspelt = config.unknownVariables.map(misspelling);
  if (complaints.length > 0)
    return fail([...complaints, ...misspelt].join("\n"), "Put right what is named; .env.example lists all.");
  if (misspelt.length > 0)
    return warn(misspelt.join("\n"), "Rename it or take it away; .env.example lists all there are.");
  return ok(set.length === 0 ? "None is set." : `${counted(set.length, "variable")} set: ${listed(set)}.`);
}

function misspelling(name: string): string {
  const near = nearestName(
    name,
    variables.map(({ env }) => env),
  );
  return `${name} is no setting of claimcheck's.${near === undefined ? "" : ` Is ${near} meant?`}`;
}

/** Only whether it is there: neither a part of it nor its length. */
export function checkKey({ config, wrong }: Settings): Finding {
  if (wrong.includes("OPENAI_API_KEY"))
    return fail(
      "OPENAI_API_KEY is set, and cannot be a key.",
      "Give it anew: one line, without spaces, quotes or line breaks.",
    );
  if (config.openai.apiKey !== null) return ok("OPENAI_API_KEY is set.");
  return fail(
    "OPENAI_API_KEY is not set here, and the server does not start without it.",
    "Let the host pass it on (claimcheck config HOST shows how). If only the host has it, run doctor with the host's own --env-file PATH or environment.",
  );
}

/** Where the API is, without what may stand in a URL to log in with. */
export function checkBaseUrl({ config, wrong, set }: Settings, environment: Environment): Finding {
  if (wrong.includes("OPENAI_BASE_URL")) return wrongBaseUrl(environment["OPENAI_BASE_URL"] ?? "");
  return ok(
    `${config.openai.baseUrl}, ${set.includes("OPENAI_BASE_URL") ? "from OPENAI_BASE_URL" : "the default"}.`,
  );
}

function wrongBaseUrl(text: string): Finding {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const next =
    "Give OPENAI_BASE_URL such as https://api.openai.com/v1: no user, password, query or fragment.";
  if (url === null) return fail("OPENAI_BASE_URL is not a URL.", next);
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  const why =
    url.username !== "" || url.password !== ""
      ? "has a user or password in it, left out here"
      : url.search !== "" || url.hash !== ""
        ? "has a query or fragment, left out here"
        : "would carry the key unencrypted to another machine";
  return fail(`${shown} ${why}.`, next);
}
