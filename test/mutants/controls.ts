/**
 * Controls of the table itself: one mutant that is none and must survive everywhere, and one gross fault a part,
 * which every layer that runs through this part must see. A layer that does not has been run on other code.
 */
import type { Mutant } from "./mutants.ts";

export const nothingWrong = "nothing-wrong";

export type GrossFault =
  | "born-streaming"
  | "nothing-performed"
  | "nothing-committed"
  | "door-shut"
  | "every-ask-refused";

export const controls = [
  {
    name: nothingWrong,
    says: "Nothing but a comment: the layers are green without a mutant.",
    patches: [
      {
        file: "machines/request.ts",
        find: `  id: "request",\n  version: "1",`,
        replace: `  id: "request", // The same as ever.\n  version: "1",`,
      },
    ],
  },
  {
    name: "born-streaming",
    says: "A request begins as if upstream had accepted it already.",
    patches: [
      {
        file: "machines/request.ts",
        find: `initial: "claimed",`,
        replace: `initial: "streaming",`,
      },
    ],
  },
  {
    name: "nothing-performed",
    says: "The engine does nothing about a step.",
    patches: [
      {
        file: "src/engine/perform.ts",
        find: `for (const effect of effects) perform(record, effect);`,
        replace: `for (const effect of effects.slice(effects.length)) perform(record, effect);`,
      },
    ],
  },
  {
    name: "nothing-committed",
    says: "The store fails whenever it is to commit.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `  const before = statements(connection).standing.get({ id });`,
        replace: `  if (id) throw new Error("Nothing is committed here.");
  const before = statements(connection).standing.get({ id });`,
      },
    ],
  },
  {
    name: "door-shut",
    says: "The door lets no event through.",
    patches: [
      {
        file: "src/engine/door.ts",
        find: `      const event: RequestEvent = {`,
        replace: `      if (id) throw new Error("The door is shut.");
      const event: RequestEvent = {`,
      },
    ],
  },
  {
    name: "every-ask-refused",
    says: "The engine throws on every ask.",
    patches: [
      {
        file: "src/engine/create.ts",
        find: `if (closing) throw shuttingDown();`,
        replace: `if (!closing) throw shuttingDown();`,
      },
    ],
  },
] as const satisfies readonly Mutant[];
