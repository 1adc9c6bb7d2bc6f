/** What a host does with a server, step by step. Each takes a client of any kind, and tells the ms it took. */

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";
import { isRunning } from "../support/host-process.ts";
import { pagesOf, splitEverywhere } from "../support/pages.ts";
import { requestRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { until, type World } from "../support/world.ts";
import { type ClientKind, type Connected, connect, type Heard } from "./clients.ts";
import { expectCollected, held } from "./held.ts";

export const stepNames = [
  "list",
  "chat",
  "wait",
  "progress",
  "detach",
  "page",
  "recover",
  "EOF",
  "SIGTERM",
] as const;
export type StepName = (typeof stepNames)[number];

interface Step {
  promise: string;
  /** Goes through it in a world of its own, and tells the ms that whoever waits for it had to wait. */
  take(here: World, kind: ClientKind): Promise<number>;
}

const eraOf: Record<ClientKind, string> = {
  "v1 client": "legacy",
  "v2 client, handshake": "legacy",
  "v2 client, modern": "modern",
};

export const steps: Record<StepName, Step> = {
  list: {
    promise: "learns who it speaks to, in its own era, and which tools there are",
    async take(here, kind) {
      const since = performance.now();
      const client = await connect(kind, here);
      const names = await client.toolNames();
      const ms = performance.now() - since;
      expect(client.era).toBe(eraOf[kind]);
      expect(client.instructions).toMatch(/request_id/);
      expect(names).toEqual(
        Object.values(toolsetsToLookAt())
          .flat()
          .map(({ name }) => name),
      );
      return ms;
    },
  },

  chat: {
    promise: "asks, and is answered the same again without a second call",
    async take(here, kind) {
      const client = await listed(here, kind);
      const ask = { message: "What is six by seven?", request_id: randomUUID() };
      const since = performance.now();
      const first = await client.call("chat", ask);
      const ms = performance.now() - since;
      const second = await client.call("chat", ask);

      expect([first.isError, second.isError]).toEqual([false, false]);
      const its = { status: "completed", request_id: ask.request_id, text: `You said: ${ask.message}` };
      expect(said(first)).toMatchObject(its);
      const { response_id, session_id } = said(first);
      expect(said(second)).toMatchObject({ ...its, response_id, session_id, replayed: true });
      expect(requestRow(here.dataDir, ask.request_id)).toMatchObject({
        state: "completed",
        responseId: response_id,
      });
      expect(here.sim.ledger.posts).toBe(1);
      return ms;
    },
  },

  wait: {
    promise: "has a receipt inside its wait, which is no error, and the answer from the call that it names",
    async take(here, kind) {
      const client = await listed(here, kind);
      here.sim.script({ scenario: "hold_mid_text" });
      const since = performance.now();
      const receipt = await client.call("chat", { message: "Held.", wait_ms: 2_000 });
      const ms = performance.now() - since;

      expect(ms).toBeLessThan(2_000);
      expect(receipt.isError).toBe(false);
      expect(said(receipt)).toMatchObject({ status: expect.stringMatching(/^(claimed|streaming)$/) });
      const { tool, args } = stepIn(said(receipt)["next"]);
      const collecting = client.call(tool, args);
      here.sim.release();
      expect(said(await collecting)).toMatchObject({ status: "completed", text: "You said: Held." });
      expect(here.sim.ledger.posts).toBe(1);
      return ms;
    },
  },

  progress: {
    promise: "hears of progress at once, ever further on, and of nothing after the answer",
    async take(here, kind) {
      const heard: (Heard & { at: number })[] = [];
      const onprogress = (progress: Heard) => heard.push({ ...progress, at: performance.now() });
      const { client, call, asked } = await held(here, kind, { onprogress });
      const first = await until("it heard of progress", () => heard[0]);
      here.sim.release();

      expect(said(await call)).toMatchObject({ status: "completed", text: "You said: Held." });
      const atTheEnd = heard.length;
      expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, index) => index + 1));
      for (const { message } of heard) expect(message).toMatch(/^(claimed|streaming) · .*\d s$/);
      await client.call("answers", { action: "inbox" });
      expect(heard).toHaveLength(atTheEnd);
      return first.at - asked;
    },
  },

  detach: {
    promise: "cancels, is served at once, and collects what it no longer waited for",
    async take(here, kind) {
      const cancel = new AbortController();
      const { client, id, call } = await held(here, kind, { signal: cancel.signal });
      const since = performance.now();
      cancel.abort("the user pressed escape");
      await expect(call).rejects.toThrow();
      expect(said(await client.call("chat", { message: "Next." }))).toMatchObject({ status: "completed" });
      const ms = performance.now() - since;

      expect(requestRow(here.dataDir, id)).toMatchObject({ state: "streaming", delivered: 0 });
      here.sim.release();
      const collected = said(await client.call("answers", { action: "wait", request_id: id }));
      expect(collected).toMatchObject({ status: "completed", text: "You said: Held." });
      expect([here.sim.ledger.posts, here.sim.ledger.cancels]).toEqual([2, 0]);
      return ms;
    },
  },

  page: {
    promise: "reads 400,000 characters page by page, byte for byte, each page's end inside a character",
    async take(here, kind) {
      const client = await connect(kind, here, { CLAIMCHECK_MAX_RESULT_BYTES: "4194304" });
      await client.toolNames();
      const text = splitEverywhere(400_000, 24_000);
      here.sim.script({ scenario: { output: { text, deltaChars: 4_001 } } });
      const since = performance.now();
      const pages = await pagesOf(client, "chat", { message: "Write a book." });
      const ms = performance.now() - since;

      // Each page gave half a character back to the next.
      expect(pages.map(({ length }) => length)).toEqual([...Array(16).fill(23_999), 16_016]);
      expect(Buffer.from(pages.join("")).equals(Buffer.from(text))).toBe(true);
      for (const page of pages) expect(page.isWellFormed()).toBe(true);
      expect(here.sim.ledger.posts).toBe(1);
      return ms;
    },
  },

  recover: {
    promise: "has its answer from the next server when the first was killed in the middle of the call",
    async take(here, kind) {
      const { client, id, call } = await held(here, kind);
      const since = performance.now();
      process.kill(client.pid, "SIGKILL");
      await expect(call).rejects.toThrow();
      here.sim.release();
      await expectCollected(here, kind, id);
      return performance.now() - since;
    },
  },

  EOF: {
    promise: "leaves no server behind when it closes in the middle of a call, which the next one collects",
    take: (here, kind) => leaving(here, kind, ({ close }) => close()),
  },

  SIGTERM: {
    promise:
      "leaves no server behind when it sends SIGTERM in the middle of a call, which the next one collects",
    take: (here, kind) => leaving(here, kind, ({ pid }) => void process.kill(pid, "SIGTERM")),
  },
};

async function listed(here: World, kind: ClientKind): Promise<Connected> {
  const client = await connect(kind, here);
  await client.toolNames();
  return client;
}

async function leaving(here: World, kind: ClientKind, leave: (client: Connected) => void | Promise<void>) {
  const { client, id, call } = await held(here, kind);
  const since = performance.now();
  const left = leave(client);
  await until("the server is gone", () => !isRunning(client.pid));
  const ms = performance.now() - since;

  expect(ms).toBeLessThan(2_000);
  await left;
  await expect(call).rejects.toThrow();
  expect(requestRow(here.dataDir, id)).toMatchObject({ state: "recovery_required", owner: null });
  here.sim.release();
  await expectCollected(here, kind, id);
  return ms;
}
