/**
 * Values given to names that secrets have: in `.env` files, JSON, YAML, INI, code, connection strings, queries and
 * commands. A name alone makes no secret: `password: string`, `token = await login()` and `"password": "Password"`
 * stay as they are.
 */
import { isDrawn } from "./chance.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { Secret, SecretKind } from "./secret.ts";

/** What follows a name: its sign, and how its value may then be written. */
const named =
  /(?<![A-Za-z0-9_])(-{0,2})([A-Za-z_][A-Za-z0-9_.-]{0,80})(\\{0,3}["'`]?\]?[ \t]{0,8}(?:=>|:=|=(?![=>])|:(?![:=]))[ \t]{0,8}|[ \t]{1,4}(?=["'\S]))/g;

export function* findAssigned(text: string): Iterable<Secret> {
  for (const match of text.matchAll(named)) {
    const [whole, dashes = "", name = "", sign = ""] = match;
    const kind = kindOfName(name);
    if (kind === null) continue;
    const isFlag = dashes === "--";
    if (!isFlag && !/[=:]/.test(sign)) continue;
    const at = match.index + whole.length;
    const value = valueAt(text, at, match.index);
    if (value === null || isPlaceholder(value.text)) continue;
    if (isSecretValue(value, { name, kind, isFlag, sign, text, nameStart: match.index }))
      yield { start: value.start, end: endOf(text, value), kind };
  }
}

/** The last word of a name says what its value is; one more after it says that it is something about it. */
const endings: readonly { kind: SecretKind; pattern: RegExp }[] = [
  {
    kind: "password",
    pattern: /(?:^|[a-z0-9_.-])(?:pass(?:word|wd|phrase|code)?|pwd|pw)\d{0,2}$/i,
  },
  {
    kind: "private_key",
    pattern: /(?:private|signing|encryption|master|ssh|client)[_.-]?key(?:[_.-]?data)?$/i,
  },
  {
    kind: "api_key",
    pattern:
      /(?:api|access|account|auth|secret|service|storage|shared|license|licence|consumer|app|admin|server|write|read)[_.-]?key(?:[_.-]?base)?\d{0,2}$|^apikey$|(?:^|[_.-])key$/i,
  },
  {
    kind: "token",
    pattern:
      /(?:^|[a-z0-9_.-])(?:token|secret|secret[_.-]?key[_.-]?base|credentials?|jwt|bearer|sas|signature|webhook[_.-]?url|dsn)\d{0,2}$|^_?auth(?:token)?$|^sig$|client[_.-]?secret$/i,
  },
];

/** Names that end like a secret's and are none. */
const harmless =
  /(?:primary|foreign|public|partition|sort|cache|row|object|storage|index|unique|hot|arrow|enter|map|dict|json|sub|lookup|header|next|page|continuation|cancel(?:lation)?|csrf|eos|bos|pad|sep|stop|start|end|max|min|is|has|show|hide|forgot|reset|change|confirm|lost|remember|by)[_.-]?(?:key|token|password|pass)$|^(?:pass|key|signature|by-?pass|compass|bearer)$/i;

function kindOfName(name: string): SecretKind | null {
  const bare = name.replace(/[_.-]+$/, "");
  if (harmless.test(bare)) return null;
  return endings.find(({ pattern }) => pattern.test(bare))?.kind ?? null;
}

interface Value {
  start: number;
  /** As much of it as tells what it is. */
  text: string;
  quote: string | null;
  /** What goes on a value that is longer. */
  more: RegExp;
}

/** How much of a value is looked at; keys in base64 are longer, and go whole all the same. */
const enough = 1_024;

const bareValue = /[^\s"'`,;&<>()[\]{}|\\]{1,1024}/y;
const moreBare = /[^\s"'`,;&<>()[\]{}|\\]+/y;
const moreOfLine = /[^\s]+/y;

function valueAt(text: string, at: number, nameStart: number): Value | null {
  const opening = text.slice(at, at + 2);
  const quote = opening === '\\"' ? opening : (/^["'`]/.exec(opening)?.[0] ?? null);
  if (quote === null) return bareAt(text, at, nameStart);
  const start = at + quote.length;
  const seen = text.slice(start, start + enough);
  const { ends, more } = quoted[quote] ?? unquoted;
  const end = seen.search(ends);
  const value = end < 0 ? seen : seen.slice(0, end);
  return value === "" || value.includes("\n") ? null : { start, text: value, quote, more };
}

/** Up to the quote that closes: one behind a backslash is part of the value. */
const quoted: Readonly<Record<string, { ends: RegExp; more: RegExp }>> = {
  '"': { ends: /(?<!\\)"/, more: /[^"\s]+/y },
  "'": { ends: /(?<!\\)'/, more: /[^'\s]+/y },
  "`": { ends: /(?<!\\)`/, more: /[^`\s]+/y },
  '\\"': { ends: /\\"/, more: /[^"\\\s]+/y },
};
const unquoted = { ends: /$/, more: moreBare };

function endOf(text: string, { start, text: { length }, more }: Value): number {
  if (length < enough) return start + length;
  more.lastIndex = start + length;
  return more.test(text) ? more.lastIndex : start + length;
}

/** In a connection string or an .env file a value goes on to its end, whatever signs it has. */
function bareAt(text: string, at: number, nameStart: number): Value | null {
  if (isEnvLine(text, nameStart)) {
    const line = /[^\r\n]{0,1024}/y;
    line.lastIndex = at;
    const found = (line.exec(text)?.[0] ?? "").replace(/[ \t]+#.*$/, "").trimEnd();
    if (found !== "" && !/\s/.test(found)) return { start: at, text: found, quote: null, more: moreOfLine };
  }
  bareValue.lastIndex = at;
  const found = bareValue.exec(text)?.[0];
  if (found === undefined) return null;
  return { start: at, text: found.replace(/[.:!?]+$/, ""), quote: null, more: moreBare };
}

/** `NAME=value`, `export NAME=value`, `+NAME=value` of a diff, from the beginning of a line. */
function isEnvLine(text: string, nameStart: number): boolean {
  const window = text.slice(Math.max(0, nameStart - 41), nameStart);
  const lineBreak = window.lastIndexOf("\n");
  if (lineBreak < 0 && nameStart > 40) return false;
  return (
    /^[\s>|+-]*(?:export |set |ENV |ARG |-e |- )?$/.test(window.slice(lineBreak + 1)) &&
    /^[A-Z][A-Z0-9_]*=[^ =]/.test(text.slice(nameStart, nameStart + 120))
  );
}

interface Place {
  name: string;
  kind: SecretKind;
  isFlag: boolean;
  sign: string;
  text: string;
  nameStart: number;
}

function isSecretValue({ text: value, quote, start }: Value, place: Place): boolean {
  if (value.length < 4 || /^\d{1,6}$/.test(value)) return false;
  if (/^(?:https?|file|wss?|claimcheck):\/\//.test(value) && place.kind !== "token") return false;
  if (isDrawn(value) || isLongHex(value)) return !isName(value);
  if (place.isFlag) return !value.startsWith("-") && place.kind === "password" && isMixed(value);
  if (isEnvLine(place.text, place.nameStart)) return !isAddress(value);
  if (isInConnection(place)) return place.kind === "password" && value.length >= 4;
  if (quote !== null) return isQuotedSecret(value, place);
  return isPlainSecret(value, start, place);
}

const isLongHex = (value: string) =>
  /^[0-9a-f]{24,}$/i.test(value) && /\d/.test(value) && /[a-f]/i.test(value);
const isAddress = (value: string) => /^(?:[a-z]+:)?\/\//.test(value) || /^[./~]/.test(value);

/** `LONG_CONSTANT_NAME_2`, `some.dotted.name1`: a name of something, not a value. */
const isName = (value: string) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value);

/** Digits or signs among letters, as in passwords that people make up. */
const isMixed = (value: string) => /[0-9]/.test(value) && /[A-Za-z]/.test(value);

/** `Server=db;User Id=app;Password=…;` */
function isInConnection({ text, nameStart }: Place): boolean {
  const before = text.slice(Math.max(0, nameStart - 120), nameStart);
  return /(?:^|[;"'])\s*$/.test(before) && /[A-Za-z ]{2,24}=[^;\n]{1,80};\s*$/.test(before);
}

/** Words between quotes are labels, messages and keys of translations; a password that people chose has more to it. */
function isQuotedSecret(value: string, { kind }: Place): boolean {
  if (/\s/.test(value) || isCodeLike(value)) return false;
  if (kind === "password") return value.length >= 6 && (isMixed(value) || /[!@#%^&*?+=~]/.test(value));
  return value.length >= 12 && isMixed(value) && !/^[a-z]+(?:[-_.:/][a-z0-9]+)+$/i.test(value);
}

/** `password: S3cret!` in YAML or a log; in code a bare value is a name, a call or a type. */
function isPlainSecret(value: string, start: number, { kind, text }: Place): boolean {
  const after = text.charAt(start + value.length);
  if (/[([{.,;)]/.test(after) || isCodeLike(value)) return false;
  return kind === "password" && value.length >= 6 && isMixed(value) && !/^[A-Za-z_$][\w$]*$/.test(value);
}

const isCodeLike = (value: string) =>
  /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$/.test(value) || /^[A-Z][A-Z0-9_]+$/.test(value);
