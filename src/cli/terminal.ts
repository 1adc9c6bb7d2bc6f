/** How a person's terminal wants its text: width, colour, plain ASCII. */
import type { RailStyle, Tone } from "../chart/rail.ts";
import type { World } from "./world.ts";

const colours: Record<Tone, readonly [on: string, off: string]> = {
  plain: ["", ""],
  good: ["\x1b[32m", "\x1b[39m"],
  bad: ["\x1b[31m", "\x1b[39m"],
  busy: ["\x1b[33m", "\x1b[39m"],
  dim: ["\x1b[2m", "\x1b[22m"],
};

/** NO_COLOR (https://no-color.org) holds when it is set to anything but nothing. */
export function styleFor({ stdout, environment }: World, ascii: boolean): RailStyle {
  const coloured = stdout.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  return {
    width: Math.max(60, Math.min(stdout.columns ?? 80, 100)),
    ascii,
    paint: (tone, text) => (coloured ? `${colours[tone][0]}${text}${colours[tone][1]}` : text),
  };
}
