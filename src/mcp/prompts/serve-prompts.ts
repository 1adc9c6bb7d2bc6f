/** Lists the prompts and fills them in. They ask for nothing themselves: the agent calls the tool. */
import { type Prompt, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Opinion, opinions } from "../../advice/opinions.ts";
import { sessionRef } from "../../contract/fields.ts";
import { parseArguments } from "../arguments.ts";
import { nearestName } from "../nearest-name.ts";
import { orRefusal } from "../refusal.ts";
import type { ToolParts } from "../serve-tools.ts";
import { wordingOf } from "./wording.ts";

const promptArguments = z.strictObject({
  question: z
    .string()
    .refine((text) => text.trim() !== "", "must say something")
    .describe("What to ask."),
  context: z
    .string()
    .optional()
    .describe("What is needed to answer: excerpts, constraints, what was tried. No secrets."),
  session_id: sessionRef
    .optional()
    .describe("UUID or name of the session to continue. Default: a new session."),
});

const listing = ({ name, title, description }: Opinion): Prompt => ({
  name,
  title,
  description,
  arguments: Object.entries(promptArguments.shape).map(([argument, field]) => ({
    name: argument,
    description: field.description ?? "",
    required: !field.isOptional(),
  })),
});

/** A prompt for each opinion whose tool is listed: nothing is reachable by a prompt alone. */
export function servePrompts(server: Server, parts: ToolParts): void {
  const here = opinions.filter(({ name }) => parts.tools.some((tool) => tool.name === name));
  server.setRequestHandler("prompts/list", () => ({ prompts: here.map(listing) }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }) =>
    orRefusal(parts, { name }, async () => {
      const opinion = opinionAmong(here, name);
      const text = wordingOf(opinion, parseArguments(name, promptArguments, withoutBlanks(given)));
      return {
        description: opinion.description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      };
    }),
  );
}

/** Hosts send an empty text for an argument that was left blank in their form. */
function withoutBlanks(given: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));
}

function opinionAmong(here: readonly Opinion[], name: string): Opinion {
  const opinion = here.find((candidate) => candidate.name === name);
  if (opinion !== undefined) return opinion;
  const names = here.map((candidate) => candidate.name);
  const meant = nearestName(name, names);
  const there = names.length === 0 ? "There are none." : `There are ${names.join(", ")}.`;
  const hint = meant === undefined ? there : `Did you mean "${meant}"?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No prompt "${name.slice(0, 64)}" here. ${hint}`);
}
