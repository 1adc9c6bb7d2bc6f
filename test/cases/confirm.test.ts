/** A person is asked before something is done that cannot be undone, in every host that can ask them. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ClientKind, clientKinds, connect } from "../interop/clients.ts";
import { type Host, hostWith, type Person, type Reply, replies } from "../mcp/support/person.ts";
import { requestRow } from "../support/request-row.ts";
import { refusal, type Said, said } from "../support/said.ts";
import { until, type World, world } from "../support/world.ts";

interface Doomed {
  /** What would be done, and whether it was. */
  tool: string;
  args: Record<string, unknown>;
  isThere(): boolean;
  named: RegExp[];
}

/** A session with one answered request, under a name. */
async function session(here: World, host: Host): Promise<Doomed> {
  const request_id = randomUUID();
  const { session_id } = said(await host.call("chat", { message: "Hello.", request_id }));
  await host.call("sessions", { operation: "configure", session_id, name: "Plan B" });
  return {
    tool: "sessions",
    args: { operation: "delete", session_id: "plan b" },
    isThere: () => requestRow(here.dataDir, request_id) !== null,
    named: [/"Plan B"/, new RegExp(String(session_id)), /1 request, 1 of them answered/, /provider .* stays/],
  };
}

/** A request that nobody knows the outcome of. */
async function unknown(here: World, host: Host): Promise<Doomed> {
  const request_id = randomUUID();
  here.sim.script({ times: 1, scenario: "reset_before_headers" });
  const { session_id } = said(await host.call("chat", { message: "Lost.", request_id }));
  return {
    tool: "request_status",
    args: { action: "abandon", request_id },
    isThere: () => requestRow(here.dataDir, request_id)?.state === "unknown_outcome",
    named: [
      new RegExp(request_id),
      new RegExp(String(session_id)),
      /unknown_outcome/,
      /stops neither .* nor what that costs/,
    ],
  };
}

const doomed = { "sessions delete": session, "request_status abandon": unknown };
type Deed = keyof typeof doomed;
const deeds = Object.keys(doomed) as Deed[];
const kinds = clientKinds.flatMap((client) => deeds.map((deed) => ({ client, deed })));

async function asking({ client, deed }: { client: ClientKind; deed: Deed }, person: Person, env = {}) {
  const here = await world();
  const host = await hostWith(client, here, person, env);
  return { here, host, thing: await doomed[deed](here, host) };
}

const otherReplies = [
  ["no", "no"],
  ["unticked", "no"],
  ["empty", "no"],
  ["dismissed", "dismissed"],
] as const;

describe.each(kinds)("$deed through a $client", (kind) => {
  test("is done after a yes to a question that names the thing and what stays", async () => {
    const { host, thing } = await asking(kind, () => replies.yes);
    const done = await host.call(thing.tool, thing.args);
    expect(done.isError).toBe(false);
    expect(thing.isThere()).toBe(false);
    expect(host.asked).toHaveLength(1);
    for (const named of thing.named) expect(host.asked[0]).toMatch(named);
    expect(host.asked[0]).not.toMatch(/Hello|Lost/);
  });

  test("is not done after any other reply, which is no error", async () => {
    let reply: Reply = replies.no;
    const { host, thing } = await asking(kind, () => reply);
    for (const [name, reason] of otherReplies) {
      reply = replies[name];
      const left = await host.call(thing.tool, thing.args);
      expect(left.isError, name).toBe(false);
      expect(said(left), name).toMatchObject({ status: "not_done", reason });
      expect(said(left)["next"]).toMatch(/^(Nothing was deleted|The request was not given up)\. /);
      expect(thing.isThere(), name).toBe(true);
    }
    expect(host.asked).toHaveLength(otherReplies.length);
  });
});

describe.each(clientKinds)("through a %s", (client) => {
  test("nobody is asked about what is refused anyway", async () => {
    const here = await world();
    const host = await hostWith(client, here, () => replies.yes);
    const request_id = randomUUID();
    here.sim.script({ scenario: "hold_mid_text" });
    const { session_id } = said(await host.call("chat", { message: "Held.", request_id, wait_ms: 500 }));

    refusal(await host.call("sessions", { operation: "delete", session_id }), "session_busy");
    refusal(await host.call("request_status", { action: "abandon", request_id }), "not_allowed_in_state");
    here.sim.release();
    await host.call("answers", { action: "wait", request_id });
    refusal(await host.call("request_status", { action: "abandon", request_id }), "not_allowed_in_state");
    refusal(await host.call("sessions", { operation: "delete", session_id: "Nobody" }), "unknown_session");
    refusal(
      await host.call("request_status", { action: "abandon", request_id: randomUUID() }),
      "unknown_request",
    );
    expect(host.asked).toEqual([]);
  });

  test("nobody is asked twice about what was given up", async () => {
    const here = await world();
    const host = await hostWith(client, here, () => replies.yes);
    const { tool, args } = await unknown(here, host);
    await host.call(tool, args);
    expect(said(await host.call(tool, args))).toMatchObject({ status: "abandoned" });
    expect(host.asked).toHaveLength(1);
  });

  test("the question is asked again when what it was about has changed meanwhile", async () => {
    const here = await world();
    const other = await here.server();
    const host = await hostWith(client, here, async () => {
      if (host.asked.length === 1) await other.call("chat", { message: "One more.", session_id: "Plan B" });
      return replies.yes;
    });
    const { tool, args, isThere } = await session(here, host);

    expect(said(await host.call(tool, args))).toMatchObject({ status: "ok", deleted: true });
    expect(host.asked).toEqual([
      expect.stringMatching(/its 1 request,/),
      expect.stringMatching(/its 2 requests,/),
    ]);
    expect(isThere()).toBe(false);
  });

  test("others work on while somebody thinks about it", async () => {
    const here = await world();
    const other = await here.server();
    let decide = (_: typeof replies.yes) => {};
    const decided = new Promise<typeof replies.yes>((resolve) => {
      decide = resolve;
    });
    const host = await hostWith(client, here, () => decided);
    const { tool, args, isThere } = await session(here, host);
    const deleting = host.call(tool, args);
    await until("the person is asked", () => host.asked.length === 1);

    const meanwhile: Said = said(await other.call("chat", { message: "Meanwhile." }));
    expect(meanwhile).toMatchObject({ status: "completed" });
    expect(isThere()).toBe(true);
    decide(replies.yes);
    expect(said(await deleting)).toMatchObject({ deleted: true });
  });

  test("who cannot be asked is obeyed", async () => {
    const here = await world();
    const plain = await connect(client, here);
    const { tool, args, isThere } = await session(here, { asked: [], call: plain.call });
    expect(said(await plain.call(tool, args))).toMatchObject({ status: "ok", deleted: true });
    expect(isThere()).toBe(false);
  });
});

describe.each(["v1 client", "v2 client, handshake"] as const)("a call that a %s holds open", (client) => {
  test.each(deeds)("%s ends inside its wait when nobody answers, and nothing is done", async (deed) => {
    const never = new Promise<typeof replies.yes>(() => {});
    const env = { CLAIMCHECK_WAIT_MS: "1500" };
    const { host, thing } = await asking({ client, deed }, () => never, env);
    const since = performance.now();
    const left = await host.call(thing.tool, thing.args);
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(left.isError).toBe(true);
    expect(said(left)).toMatchObject({ status: "not_done", reason: "unanswered" });
    expect(thing.isThere()).toBe(true);
    expect(host.asked).toHaveLength(1);
  });

  test.each(deeds)("%s is not done when the host fails to ask", async (deed) => {
    const { host, thing } = await asking({ client, deed }, () => Promise.reject(new Error("no window")));
    const left = await host.call(thing.tool, thing.args);
    expect(left.isError).toBe(true);
    expect(said(left)).toMatchObject({ status: "not_done", reason: "host_failed" });
    expect(said(left)["next"]).toMatch(/Call again once: (sessions|request_status) \{.*elicitation/);
    expect(thing.isThere()).toBe(true);
  });
});
