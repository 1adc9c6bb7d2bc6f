/** The parts of README.md and SPEC.md that are read off the code. */
import { hostSetups, waits } from "./hosts.ts";
import { codes, help, limits, settings } from "./interface.ts";
import { arrows, diagram, effects, events, states } from "./machine.ts";
import { catalogue, reference, tools } from "./tools.ts";

/** What stands between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`, by name. */
export const blocks: Readonly<Record<string, () => string>> = {
  tools,
  catalogue,
  reference,
  hosts: hostSetups,
  waits,
  help,
  settings,
  states,
  arrows,
  diagram,
  effects,
  events,
  limits,
  codes,
};

const filled = /(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g;

/**
 * The document with every block written anew.
 *
 * @throws {Error} when it names a block that does not exist or does not close one
 */
export function refilled(document: string): string {
  const opened = document.match(/<!-- generated:/g)?.length ?? 0;
  if (opened !== (document.match(filled)?.length ?? 0)) throw new Error("A generated block is not closed.");
  return document.replaceAll(filled, (_, opening: string, name: string, closing: string) => {
    const block = blocks[name];
    if (block === undefined)
      throw new Error(`There is no block "${name}"; .config/docs/refill.ts has them all.`);
    return `${opening}${block()}\n${closing}`;
  });
}
