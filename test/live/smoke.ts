/**
 * One short question to the real API, through a real server process, and the same again by its request_id. Costs a
 * few hundred tokens of real money, so it wants OPENAI_API_KEY, OPENAI_MODEL and `--yes-spend-money`, and CI never
 * runs it. Prints what came back, without the key.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type ToolResult } from "../support/stdio.ts";

const { OPENAI_API_KEY: key, OPENAI_MODEL: model, OPENAI_BASE_URL: baseUrl } = process.env;
const refusals = [
  ...(key ? [] : ["OPENAI_API_KEY is not set"]),
  ...(model ? [] : ["OPENAI_MODEL is not set"]),
  ...(process.argv.includes("--yes-spend-money") ? [] : ["--yes-spend-money is not there"]),
];

if (refusals.length > 0 || !key || !model) {
  console.error(`Not run, nothing sent: ${refusals.join("; ")}.`);
  process.exitCode = 2;
} else {
  process.exitCode = (await smoke(key, model)) ? 0 : 1;
}

async function smoke(apiKey: string, modelName: string): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), "claimcheck-live-"));
  const server = await startServer({
    upstream: baseUrl || "https://api.openai.com/v1",
    dataDir,
    env: { OPENAI_API_KEY: apiKey, OPENAI_MODEL: modelName },
  });
  try {
    const question = {
      request_id: randomUUID(),
      message: "Answer with the one word: ticket",
      max_output_tokens: 512,
    };
    const first = await server.call("chat", question);
    const again = await server.call("chat", question);
    print(first);
    return (
      holds("completed", first.structured["status"] === "completed") && holds("replayed", same(first, again))
    );
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function print({ structured }: ToolResult): void {
  const shown = ["status", "model", "text", "usage", "failure", "warnings", "timings"];
  for (const name of shown) if (name in structured) console.log(name, JSON.stringify(structured[name]));
}

function holds(what: string, held: boolean): boolean {
  console.log(`${what}: ${held ? "yes" : "NO"}`);
  return held;
}

function same(first: ToolResult, again: ToolResult): boolean {
  return (
    first.structured["response_id"] === again.structured["response_id"] &&
    first.structured["text"] === again.structured["text"]
  );
}
