/** Where an API is and who asks: checked once, before anything could be sent. */
import { createHmac } from "node:crypto";
import { ClaimcheckError } from "../../contract/errors.ts";

export interface Endpoint {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** 16 hex digits that stand for base URL and key, and cannot be turned back into them. */
  readonly fingerprint: string;
}

/** What to call things in a complaint. */
export interface EndpointNames {
  provider: string;
  /** Variables that set key and base URL. */
  key: string;
  baseUrl: string;
  /** A base URL as it should look. */
  example: string;
}

/**
 * Checks and normalises an endpoint.
 *
 * @throws {ClaimcheckError} `key_missing`, or `config_invalid` where the key would travel unencrypted or cannot travel.
 */
export function endpointOf(given: { apiKey: string; baseUrl: string }, names: EndpointNames): Endpoint {
  const baseUrl = safeBaseUrl(given.baseUrl, names);
  const apiKey = safeKey(given.apiKey, names);
  return { apiKey, baseUrl, fingerprint: fingerprintOf(baseUrl, apiKey) };
}

function safeBaseUrl(text: string, { baseUrl, example }: EndpointNames): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw invalid(baseUrl, `is not a URL. Give one such as ${example}.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid(baseUrl, "must have no user, password, query or fragment. Leave them out.");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw invalid(baseUrl, "must be https, or http on a loopback address. The key travels there.");
  }
  return url.href.replace(/\/+$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function safeKey(apiKey: string, { provider, key }: EndpointNames): string {
  if (apiKey === "")
    throw new ClaimcheckError("key_missing", `The ${provider} provider needs a key. Set ${key}.`);
  return headerText(key, apiKey) ?? apiKey;
}

/** A control character here would make the client throw an error that quotes the value. */
export function headerText(variable: string, value: string | null | undefined): string | null {
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
