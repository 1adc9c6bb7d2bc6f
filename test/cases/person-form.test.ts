/** A request to a person in a host that can ask one: they answer in its form, or close it and nothing is lost. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { clientKinds } from "../interop/clients.ts";
import { hostWith, type Person, type Reply } from "../mcp/support/person.ts";
import { said } from "../support/said.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { world } from "../support/world.ts";

const env = { CLAIMCHECK_PROVIDER: "manual", OPENAI_API_KEY: "" };
const writes = (answer: string): Reply => ({ action: "accept", content: { answer } });

describe.each(clientKinds)("with a %s that shows forms", (kind) => {
  async function asking(person: Person) {
    const here = await world();
    return { here, host: await hostWith(kind, here, person, env) };
  }

  test("the person is shown the prompt, and what they write is the answer of this very call", async () => {
    const { here, host } = await asking(() => writes("Left."));
    const request_id = randomUUID();

    const answer = said(await host.call("chat", { message: "Which way?", request_id }));

    expect(answer).toMatchObject({ status: "completed", request_id, text: "Left." });
    expect(host.asked).toEqual([expect.stringContaining("=== Question ===\n\nWhich way?")]);
    expect(said(await host.call("chat", { message: "Which way?", request_id }))).toMatchObject({
      replayed: true,
      text: "Left.",
    });
    expect(host.asked).toHaveLength(1);
    expect(here.sim.ledger.attempts).toBe(0);
  });

  test("a call without an id is one request all the same, in sections where those were asked for", async () => {
    const { here, host } = await asking(() => writes("## Summary\nGood."));
    const answer = said(await host.call("review_plan", { question: "Good?" }));
    expect(answer).toMatchObject({ status: "completed", sections: { summary: "Good." } });
    expect(said(await host.call("answers", { action: "inbox" }))).toMatchObject({ unread: [], running: [] });
    expect(here.sim.ledger.attempts).toBe(0);
  });

  const closed: [string, Reply][] = [
    ["closed", { action: "cancel" }],
    ["declined", { action: "decline" }],
    ["sent empty", writes("  ")],
  ];
  test.each(closed)(
    "a form that is %s leaves the receipt, and the answer comes another way",
    async (_, reply) => {
      const { here, host } = await asking(() => reply);

      const receipt = said(await host.call("chat", { message: "Which way?" }));

      expect(receipt).toMatchObject({ status: "streaming", prompt: expect.stringContaining("Which way?") });
      const id = String(receipt["request_id"]);
      const options = { upstream: here.sim.url, dataDir: here.dataDir, env };
      spawnSync(process.execPath, [serverFile, "answer", id], {
        input: "Right.",
        env: serverEnvironment(options),
        timeout: 20_000,
      });
      const later = host.call("answers", { action: "wait", request_id: id, wait_ms: 5_000 });
      expect(said(await later)).toMatchObject({ status: "completed", text: "Right." });
      expect(host.asked).toHaveLength(1);
    },
  );

  test("an answer that came meanwhile from elsewhere is the answer", async () => {
    const { here, host } = await asking(async () => {
      const options = { upstream: here.sim.url, dataDir: here.dataDir, env };
      const list = spawnSync(process.execPath, [serverFile, "list", "--json"], {
        env: serverEnvironment(options),
        encoding: "utf8",
      });
      const [{ request_id }] = JSON.parse(list.stdout).requests;
      spawnSync(process.execPath, [serverFile, "answer", request_id], {
        input: "First.",
        env: serverEnvironment(options),
      });
      return writes("Second.");
    });
    const told = said(await host.call("chat", { message: "Which way?" }));
    expect(host.asked).toHaveLength(1);
    expect(told).toMatchObject({ status: "completed", text: "First." });
  });
});
