/** From the text of a variable to its value; undefined where it is not one. */
import { isAbsolute } from "node:path";
import type { Parse } from "./reader.ts";

export function wholeNumber(range: { min: number; max: number }): Parse<number> {
  return (text) => (/^\d{1,16}$/.test(text) ? within(Number(text), range) : undefined);
}

export function decimal(range: { min: number; max: number }): Parse<number> {
  return (text) => (/^\d{1,6}(\.\d{1,6})?$/.test(text) ? within(Number(text), range) : undefined);
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, "": 1_000 } as const;

/** Seconds, or with a unit: `90`, `90s`, `2m`, `1500ms`. */
export function duration(range: { min: number; max: number }): Parse<number> {
  return (text) => {
    const [, amount = "", unit = ""] = /^(\d{1,7})(ms|s|m)?$/.exec(text.toLowerCase()) ?? [];
    const known = Object.entries(unitMs).find(([name]) => name === unit);
    return amount === "" || known === undefined ? undefined : within(Number(amount) * known[1], range);
  };
}

export function oneOf<const T extends string>(names: readonly T[]): Parse<T> {
  return (text) => names.find((name) => name === text.toLowerCase());
}

export function someOf<const T extends string>(names: readonly T[]): Parse<readonly T[]> {
  return (text) => {
    const given = text
      .toLowerCase()
      .split(",")
      .map((name) => name.trim());
    const chosen = names.filter((name) => given.includes(name));
    return chosen.length === new Set(given).size ? chosen : undefined;
  };
}

export const onOrOff: Parse<boolean> = (text) => {
  const word = text.toLowerCase();
  if (["on", "true", "1", "yes"].includes(word)) return true;
  if (["off", "false", "0", "no"].includes(word)) return false;
  return undefined;
};

export function textUpTo(length: number): Parse<string> {
  return (text) => (text.length <= length && !/\p{Cc}/u.test(text) ? text : undefined);
}

/** What goes into a header: one line of printable ASCII without spaces. */
export function headerText(length: number): Parse<string> {
  return (text) => (text.length <= length && /^[\x21-\x7e]+$/.test(text) ? text : undefined);
}

export const absolutePath: Parse<string> = (text) => (isAbsolute(text) ? text : undefined);

/** The key travels to this address, so it is encrypted unless it never leaves the machine. */
export const endpoint: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return undefined;
  }
  const safe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return safe ? url.href.replace(/\/+$/, "") : undefined;
};

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function within(value: number, { min, max }: { min: number; max: number }): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
