/** Credentials where HTTP and its tools put them: headers, cookies, the user of a command. */
import { isDrawn } from "./chance.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { Secret } from "./secret.ts";

/** The scheme and its credentials, after the header's name in whatever quotes a language has. */
const header =
  /\b(?:Proxy-)?Authorization\b["'`]?([ \t]{0,4}[:=,]?[ \t]{0,4})["'`]?(?:(Bearer|Basic|Token|Digest|ApiKey|Negotiate|OAuth|AWS4-HMAC-SHA256)[ \t]{1,4})?([^\s"'`,;]{6,8192})/gi;
/** The same without the header's name, in prose, logs and code: only what looks drawn. */
const bearer = /\b(?:Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,8192})/g;

const cookieLine = /\b(?:Set-)?Cookie\b["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?([^\r\n"'`]{1,8192})/gi;
const cookie = /([A-Za-z0-9_.!#$%&*+^|~-]{1,128})=([^;\s]{8,4096})/g;
const secretCookie = /sess|sid$|token|auth|csrf|xsrf|jwt|login|secret/i;
const attributes = /^(?:expires|max-age|domain|path|samesite|priority)$/i;

const commandUser =
  /\b(?:curl|wget|http|https)\b[^\r\n]{0,400}?[ \t](?:-u|--user|--proxy-user|-U)[ =]{0,2}["']?([^\s:"'$]{1,128}):([^\s"']{1,256})/g;

const netrc = /\bmachine[ \t]+\S{1,256}\s{1,8}login[ \t]+\S{1,256}\s{1,8}password[ \t]+(\S{1,256})/g;

export function* findAuthorization(text: string): Iterable<Secret> {
  for (const match of text.matchAll(header)) {
    const [, sign = "", scheme, value = ""] = match;
    if (isPlaceholder(value) || isCode(value)) continue;
    // Without a scheme it may be any word after the word "Authorization".
    if (scheme === undefined && (sign.trim() === "" || !isDrawn(value))) continue;
    yield atEnd(match, value, "bearer_header");
  }
  for (const match of text.matchAll(bearer)) {
    const [, value = ""] = match;
    if (!isPlaceholder(value) && isDrawnOrEncoded(value)) yield atEnd(match, value, "bearer_header");
  }
  for (const match of text.matchAll(cookieLine)) yield* cookiesIn(match);
  for (const match of text.matchAll(commandUser)) {
    const [, , password = ""] = match;
    if (!isPlaceholder(password)) yield atEnd(match, password, "password");
  }
  for (const match of text.matchAll(netrc)) {
    const [, password = ""] = match;
    if (!isPlaceholder(password)) yield atEnd(match, password, "git_credentials");
  }
}

function* cookiesIn(line: RegExpExecArray): Iterable<Secret> {
  const [, cookies = ""] = line;
  const begin = line.index + line[0].length - cookies.length;
  for (const match of cookies.matchAll(cookie)) {
    const [, name = "", value = ""] = match;
    if (attributes.test(name) || isPlaceholder(value)) continue;
    if (!secretCookie.test(name) && !isDrawn(value)) continue;
    const start = begin + match.index + match[0].length - value.length;
    yield { start, end: start + value.length, kind: "token" };
  }
}

function atEnd(match: RegExpExecArray, value: string, kind: Secret["kind"]): Secret {
  const end = match.index + match[0].length;
  return { start: end - value.length, end, kind };
}

/** `getToken()`, `config.token`, `process.env.TOKEN`: what stands for the value in a program. */
const isCode = (value: string) =>
  !/^[A-Za-z]*\d\w*$/.test(value) &&
  /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::)[A-Za-z_$][\w$]*)*(?:[([{].*)?$/.test(value) &&
  !isDrawn(value);

const isDrawnOrEncoded = (value: string) =>
  isDrawn(value) || (/={1,2}$/.test(value) && value.length % 4 === 0);
