/**
 * JSON as models write it: cut off where they ran out of tokens, with line ends inside strings, commas at the end and
 * backslashes of their own. What was read whole is given back, however it goes on. Linear, and never deeper than a
 * form can be.
 */

export interface Read {
  /** Undefined where nothing was whole; of an object or a list as much as was. */
  value: unknown;
  /** Behind the value; where it is not whole, at what could not be read. */
  end: number;
  whole: boolean;
}

/** Deeper nesting is no form that was asked for, and must not exhaust the stack. */
const deepest = 32;

/** The value that begins at `at`. */
export function readValue(text: string, at: number, depth = 0): Read {
  if (depth > deepest) return stopped(at);
  switch (text[at]) {
    case "{":
      return readObject(text, at, depth);
    case "[":
      return readList(text, at, depth);
    case '"':
      return readString(text, at);
    default:
      return readBare(text, at);
  }
}

function readObject(text: string, begin: number, depth: number): Read {
  const members: [string, unknown][] = [];
  const read = (end: number, whole: boolean) => ({ value: Object.fromEntries(members), end, whole });
  let at = afterSpace(text, begin + 1);
  while (text[at] !== "}") {
    const key = text[at] === '"' ? readString(text, at) : stopped(at);
    const colon = afterSpace(text, key.end);
    if (!key.whole || text[colon] !== ":") return read(at, false);
    const member = readValue(text, afterSpace(text, colon + 1), depth + 1);
    if (member.value !== undefined) members.push([String(key.value), member.value]);
    const next = afterSpace(text, member.end);
    if (!member.whole || !isBetween(text, next, "}")) return read(member.end, false);
    at = text[next] === "," ? afterSpace(text, next + 1) : next;
  }
  return read(at + 1, true);
}

function readList(text: string, begin: number, depth: number): Read {
  const items: unknown[] = [];
  let at = afterSpace(text, begin + 1);
  while (text[at] !== "]") {
    const item = readValue(text, at, depth + 1);
    if (item.value !== undefined) items.push(item.value);
    const next = afterSpace(text, item.end);
    if (!item.whole || !isBetween(text, next, "]")) return { value: items, end: item.end, whole: false };
    at = text[next] === "," ? afterSpace(text, next + 1) : next;
  }
  return { value: items, end: at + 1, whole: true };
}

function readString(text: string, at: number): Read {
  const end = endOfString(text, at);
  if (end < 0) return stopped(at);
  const value: unknown = JSON.parse(asWritten(text.slice(at, end)));
  return { value, end, whole: true };
}

/** Behind the quote that closes; -1 where none does. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** A string in its quotes with what JSON does not allow inside it put as JSON wants it. */
const asWritten = (quoted: string) =>
  quoted
    .replace(/\\(u[0-9a-f]{4}|["\\/bfnrt])|\\/gi, (written, known) =>
      known === undefined ? "\\\\" : written,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\u0000-\u001f]/g, (sign) => JSON.stringify(sign).slice(1, -1));

const bareValues = /true|false|null|-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,4})?/iy;

function readBare(text: string, at: number): Read {
  bareValues.lastIndex = at;
  const bare = bareValues.exec(text)?.[0];
  if (bare === undefined) return stopped(at);
  const word = bare.toLowerCase();
  return { value: words.has(word) ? words.get(word) : Number(bare), end: at + bare.length, whole: true };
}

const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const stopped = (end: number): Read => ({ value: undefined, end, whole: false });

const isBetween = (text: string, at: number, closing: string) => text[at] === "," || text[at] === closing;

const space = /\s*/y;

function afterSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}
