/** Where the API is and who asks: checked once, before anything could be sent. */
import { createHmac } from "node:crypto";
import { ClaimcheckError } from "../../contract/errors.ts";

export interface EndpointOptions {
  apiKey: string;
  /** The API's root, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  organization?: string | null;
  project?: string | null;
}

export interface Endpoint {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly organization: string | null;
  readonly project: string | null;
  /** 16 hex digits that stand for base URL and key, and cannot be turned back into them. */
  readonly fingerprint: string;
}

/**
 * Checks and normalises an endpoint.
 *
 * @throws {ClaimcheckError} `key_missing`, or `config_invalid` where the key would travel unencrypted or cannot travel.
 */
export function endpointOf(given: EndpointOptions): Endpoint {
  const baseUrl = safeBaseUrl(given.baseUrl);
  const apiKey = safeKey(given.apiKey);
  return {
    apiKey,
    baseUrl,
    organization: headerText("OPENAI_ORG_ID", given.organization),
    project: headerText("OPENAI_PROJECT_ID", given.project),
    fingerprint: fingerprintOf(baseUrl, apiKey),
  };
}

function safeBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw invalid("OPENAI_BASE_URL", "is not a URL. Give one such as https://api.openai.com/v1.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("OPENAI_BASE_URL", "must have no user, password, query or fragment. Leave them out.");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw invalid("OPENAI_BASE_URL", "must be https, or http on a loopback address. The key travels there.");
  }
  return url.href.replace(/\/+$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function safeKey(apiKey: string): string {
  if (apiKey === "") {
    throw new ClaimcheckError("key_missing", "The openai provider needs a key. Set OPENAI_API_KEY.");
  }
  return headerText("OPENAI_API_KEY", apiKey) ?? apiKey;
}

/** A control character here would make the client throw an error that quotes the value. */
function headerText(variable: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw invalid(
    variable,
    "must be one line of printable ASCII without spaces. Check for a stray line break or quote.",
  );
}

function invalid(variable: string, what: string): ClaimcheckError {
  return new ClaimcheckError("config_invalid", `${variable} ${what}`, { details: { variable } });
}

function fingerprintOf(baseUrl: string, apiKey: string): string {
  return createHmac("sha256", "claimcheck endpoint 1")
    .update(`${baseUrl}\0${apiKey}`)
    .digest("hex")
    .slice(0, 16);
}
