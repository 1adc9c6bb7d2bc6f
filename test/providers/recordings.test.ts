/**
 * Real upstream bytes, replayed through the whole path in pieces of 1 to 97 bytes. The folder is named in
 * `CLAIMCHECK_RECORDINGS`; recordings are other people's and stay where they are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import type { StreamReport } from "../../src/providers/provider.ts";
import { sayInPieces, sayJson, serve } from "./support/byte-server.ts";
import { all, closing, never, paidCall, providerAt, secretWord } from "./support/provider.ts";

const folder = process.env["CLAIMCHECK_RECORDINGS"] ?? "";
const files = folder === "" ? [] : readdirSync(folder);
const streams = files.filter((name) => name.endsWith(".sse"));
const refusals = files.filter((name) => name.endsWith(".json"));

const finalEvent = z.object({
  type: z.string(),
  response: z.looseObject({
    id: z.string(),
    status: z.string(),
    usage: z.unknown(),
    output: z.array(
      z.looseObject({ type: z.string(), content: z.array(z.looseObject({ type: z.string() })).nullish() }),
    ),
  }),
});

/** The recording's own last word. */
function lastWordOf(recording: string) {
  const data = recording.split("\n").filter((line) => line.startsWith("data: {"));
  const { response } = finalEvent.parse(JSON.parse(data.at(-1)?.slice("data: ".length) ?? ""));
  const parts = response.output.flatMap(({ type, content }) => (type === "message" ? (content ?? []) : []));
  const text = parts.map((part) => (part.type === "output_text" ? part["text"] : "")).join("");
  return { response, text };
}

function* pieces(bytes: Buffer) {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size % 97) + 1)
    yield bytes.subarray(at, at + size);
}

async function replayed(name: string): Promise<{ reports: StreamReport[]; recording: string }> {
  const recording = readFileSync(join(folder, name), "utf8");
  const stream = sayInPieces([...pieces(Buffer.from(recording))]);
  const server = await serve((response, request) =>
    request.url?.includes("stream=true") || request.method === "POST"
      ? stream(response, request)
      : sayJson(lastWordOf(recording).response)(response, request),
  );
  const provider = providerAt(server.url);
  const { response } = lastWordOf(recording);
  const isWhole = recording.includes("event: response.created");
  const reports = isWhole ? provider.send(paidCall(), never) : provider.resume(response.id, null, never);
  return { reports: await all(reports), recording };
}

test.skipIf(folder === "")(
  "recordings are there (skipped: no recordings, CLAIMCHECK_RECORDINGS is unset)",
  () => {
    expect(streams).not.toEqual([]);
    expect(refusals).not.toEqual([]);
  },
);

test.each(streams)("a recorded stream, %s, ends as it did, with the text it had", async (name) => {
  const { reports, recording } = await replayed(name);
  const { response, text } = lastWordOf(recording);

  expect(["upstream.accepted", "attached"]).toContain(reports[0]?.type);
  expect(closing(reports)).toMatchObject({
    type: `upstream.${response.status}`,
    outcome: { responseId: response.id, text, usage: response.usage, truncated: false, refusal: null },
  });
});

test.each(streams)("a recorded stream, %s, tells no word of upstream's errors", async (name) => {
  const { reports } = await replayed(name);

  expect(JSON.stringify(reports)).not.toContain("exceeded your current quota");
});

test.each(refusals)("a recorded refusal, %s, names the option and nothing else", async (name) => {
  const server = await serve(sayJson(readFileSync(join(folder, name), "utf8"), 400));

  const report = closing(await all(providerAt(server.url).send(paidCall(), never)));

  expect(report).toMatchObject({
    type: "upstream.rejected",
    failure: { code: "option_rejected", status: 400, upstreamParam: "temperature" },
  });
  expect(JSON.stringify(report)).not.toContain(secretWord);
  expect(JSON.stringify(report)).not.toMatch(/Unsupported parameter|decimal below/);
});
