/** `claimcheck answer ID`: brings a person's answer to a request that waits for one. */
import { readFileSync } from "node:fs";
import { ClaimcheckError } from "../contract/errors.ts";
import { isUuid } from "../contract/fields.ts";
import { silentLog } from "../engine/log.ts";
import { openEngine } from "./assemble.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { isThere } from "./database.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadConfig } from "./load-config.ts";
import type { World } from "./world.ts";

export const answer: Command = {
  help: `claimcheck answer ID - bring a person's answer to a request that waits for one

  ID           the request_id, a UUID
  --file PATH  read the answer from a file instead of standard input
  --prompt     print what the person was asked instead, and change nothing
  --json       the request afterwards, as JSON

  The first answer counts. Whoever waits for the request has it then, from any
  process.`,
  options: { file: { type: "string" }, prompt: { type: "boolean" }, json: { type: "boolean" } },
  takes: ["ID"],
  async run(given, world) {
    const id = idOf(given);
    const config = loadConfig(given, world, { needsKey: false });
    if (!isThere(config.database))
      throw new ClaimcheckError("unknown_request", `No requests yet: there is no ${config.database}.`);
    // Nothing is asked of any provider, so none needs its key.
    const engine = await openEngine({ ...config, provider: "manual" }, silentLog);
    try {
      const request = await (given.flag("prompt")
        ? engine.inspect(id)
        : engine.answer(id, await textOf(given, world)));
      world.stdout.write(given.flag("json") ? `${JSON.stringify(request)}\n` : said(request, given));
      return exitCodes.ok;
    } finally {
      await engine.close();
    }
  },
};

function idOf(given: Given): string {
  const id = given.positionals[0] ?? "";
  if (!isUuid(id)) throw new UsageError("ID must be a UUID; claimcheck list --state streaming shows them.");
  return id.toLowerCase();
}

async function textOf(given: Given, world: World): Promise<string> {
  const file = given.text("file");
  if (file !== undefined) return readText(file);
  if (world.atTerminal)
    world.stderr.write("Paste the answer, then end it with Ctrl-D on a line of its own.\n");
  return world.readInput();
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ClaimcheckError("invalid_arguments", `${file} cannot be read; nothing was changed.`, {
      cause: error,
    });
  }
}

function said(
  { request_id, status, prompt }: { request_id: string; status: string; prompt?: string },
  given: Given,
) {
  if (given.flag("prompt"))
    return prompt === undefined ? `${request_id} is ${status} and waits for no person.\n` : `${prompt}\n`;
  return `${request_id} is ${status}.\n`;
}
