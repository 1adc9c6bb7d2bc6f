import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAnthropicProvider } from "../../src/providers/anthropic/anthropic.ts";
import { createOllamaProvider } from "../../src/providers/ollama/ollama.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { all, closing, never, paidCall, testKey, textOf } from "../providers/support/provider.ts";
import { type Aimock, startAimock } from "./support/aimock.ts";

let aimock: Aimock;
beforeAll(async () => {
  aimock = await startAimock();
  return aimock.stop;
});
beforeEach(() => aimock.reset());

const content = "An answer, 👍👍👍 in pieces of three.";
const limits = { textBytes: 1_000_000, eventBytes: 8_000_000 };
const clocks = { firstByteMs: 5_000, idleMs: 5_000 };
const rootOf = ({ baseUrl }: Aimock) => baseUrl.replace(/\/v1$/, "");

const parties: [string, string, () => Provider][] = [
  [
    "anthropic",
    "/v1/messages",
    () => createAnthropicProvider({ apiKey: testKey, baseUrl: rootOf(aimock), limits, ...clocks }),
  ],
  [
    "ollama",
    "/api/chat",
    () => createOllamaProvider({ baseUrl: rootOf(aimock), numCtx: 4_096, limits, ...clocks }),
  ],
];

describe.each(parties)("aimock as %s", (_, path, make) => {
  const asked = async () => (await aimock.calls()).filter((call) => call.path === path);

  test.each([1, 3, 20])("answers in deltas of %i units, and is asked once", async (chunkSize) => {
    await aimock.answers({ response: { content }, chunkSize });
    const reports = await all(
      make().send(paidCall({ transcript: [{ message: "One?", answer: "1." }] }), never),
    );
    expect(reports[0]).toMatchObject({ type: "upstream.accepted", responseId: expect.stringMatching(/\S/) });
    expect(closing(reports).type).toBe("upstream.completed");
    expect(textOf(closing(reports))).toBe(content);
    expect(await asked()).toHaveLength(1);
  });

  test("that breaks off in the middle is lost, and is not asked again", async () => {
    await aimock.answers({ response: { content }, chunkSize: 3, truncateAfterChunks: 6 });
    expect(closing(await all(make().send(paidCall(), never))).type).toBe("upstream.lost");
    expect(await asked()).toHaveLength(1);
  });

  test("that refuses is believed, and is not asked again", async () => {
    await aimock.refusesNext(400, "invalid_request_error");
    expect(closing(await all(make().send(paidCall(), never))).type).toBe("upstream.rejected");
    expect(await asked()).toHaveLength(1);
  });
});

test("an answer cut off by its limit is incomplete to anthropic; as ollama aimock does not say that it was", async () => {
  await aimock.answers({ response: { content, finishReason: "length" } });
  const [anthropic, ollama] = await Promise.all(
    parties.map(async ([, , make]) => closing(await all(make().send(paidCall(), never)))),
  );
  expect(anthropic).toMatchObject({ type: "upstream.incomplete", outcome: { reason: "max_output_tokens" } });
  expect(ollama?.type).toBe("upstream.completed");
});
