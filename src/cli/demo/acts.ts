/** The demo's five acts. Each does something to a real server and says whether what was promised held. */
import { randomUUID } from "node:crypto";
import type { RequestState } from "../../../machines/states.ts";
import type { Reply, Server, Stage } from "./stage.ts";

export type Beat =
  | { kind: "does"; says: string }
  | { kind: "state"; state: RequestState; says: string }
  | { kind: "quote"; says: string };

export interface Act {
  title: string;
  beats: Beat[];
  held: boolean;
}

/** What the acts leave for each other and for the last page. */
export interface Played {
  acts: Act[];
  /** Every request made, in order, and what it was. */
  requests: { id: string; name: string }[];
  /** The one whose journal is worth reading. */
  killed: string;
}

const does = (says: string): Beat => ({ kind: "does", says });
const stands = (reply: Reply, says: string): Beat => ({ kind: "state", state: reply.status, says });
const short = ({ response_id = "nothing" }: Reply) => `${response_id.slice(0, 16)}...`;
const quote = ({ text = "" }: Reply): Beat => ({ kind: "quote", says: text });

export async function play(stage: Stage, onAct: (act: Act) => void): Promise<Played> {
  const acts: Act[] = [];
  const show = (act: Act) => {
    acts.push(act);
    onAct(act);
  };
  script(stage);
  const server = await stage.startServer();
  const ids = { asked: randomUUID(), continued: randomUUID(), killed: randomUUID(), unknown: randomUUID() };

  const first = await ask(stage, server, ids.asked);
  show(first.act);
  show(await goOn(stage, server, ids.continued, first.reply));
  show(await askAgain(stage, server, ids.asked, first.reply));
  const collected = await killAndCollect(stage, server, ids.killed);
  show(collected.act);
  show(await loseForGood(stage, collected.server, ids.unknown));

  return {
    acts,
    killed: ids.killed,
    requests: [
      { id: ids.asked, name: "asked, then replayed" },
      { id: ids.continued, name: "continued the session" },
      { id: ids.killed, name: "server killed" },
      { id: ids.unknown, name: "outcome unknown, abandoned" },
    ],
  };
}

const questions = {
  asked: "What is a cloakroom ticket?",
  continued: "And if I lose it?",
  killed: "Tell me about coats, at length.",
  unknown: "Who has my umbrella?",
};

/** What upstream says to each question, and what it does to the last two. */
function script({ upstream }: Stage): void {
  const answer = (message: string, scenario: Parameters<typeof upstream.script>[0]["scenario"]) =>
    upstream.script({ match: { message }, scenario });
  answer(questions.asked, { output: { text: "A promise: hand it in, and the coat is yours again." } });
  answer(questions.continued, { output: { text: "Then tell them which coat it was; they wrote it down." } });
  answer(questions.killed, {
    output: {
      text: "Coats hang on hooks, hooks on rails, and each has a number of its own.",
      deltaChars: 8,
    },
    hold: [{ delta: 4 }],
  });
  answer(questions.unknown, "reset_before_headers");
}

async function ask({ upstream }: Stage, server: Server, id: string) {
  const before = upstream.ledger.posts;
  const reply = await server.call("chat", { request_id: id, message: questions.asked });
  const act: Act = {
    title: "Ask",
    beats: [
      does(`chat: ${questions.asked}`),
      stands(reply, `one POST; upstream calls it ${short(reply)}`),
      quote(reply),
    ],
    held: reply.status === "completed" && upstream.ledger.posts === before + 1,
  };
  return { act, reply };
}

async function goOn({ upstream }: Stage, server: Server, id: string, first: Reply): Promise<Act> {
  const reply = await server.call("chat", {
    request_id: id,
    session_id: first.session_id,
    message: questions.continued,
  });
  return {
    title: "Go on with the session",
    beats: [
      does(`chat: ${questions.continued}`),
      stands(reply, `upstream was told what came before, ${short(first)}`),
      quote(reply),
    ],
    held: reply.status === "completed" && predecessorOf(upstream, reply) === first.response_id,
  };
}

/** The predecessor that the POST behind a reply named. */
function predecessorOf(upstream: Stage["upstream"], reply: Reply): unknown {
  const bodies = upstream.ledger.requests.flatMap(({ method, body }) => (method === "POST" ? [body] : []));
  const last = bodies.at(-1);
  if (reply.response_id === undefined || typeof last !== "object" || last === null) return undefined;
  return "previous_response_id" in last ? last.previous_response_id : undefined;
}

async function askAgain({ upstream }: Stage, server: Server, id: string, first: Reply): Promise<Act> {
  const before = upstream.ledger.posts;
  const reply = await server.call("chat", { request_id: id, message: questions.asked });
  const same = reply.text === first.text && reply.response_id === first.response_id;
  return {
    title: "Ask the first question again, under the same request_id",
    beats: [
      does("chat, the same arguments"),
      stands(reply, "the same answer, from the database; nothing was sent"),
    ],
    held: same && upstream.ledger.posts === before,
  };
}

async function killAndCollect(stage: Stage, server: Server, id: string) {
  const { upstream } = stage;
  const begun = await server.call("chat", { request_id: id, message: questions.killed, wait_ms: 200 });
  const receipt = await untilStreaming(server, begun);
  await server.kill();
  upstream.release();
  const next = await stage.startServer();
  const reply = await next.call("answers", { action: "wait", request_id: id });
  const act: Act = {
    title: "Kill the server while the answer is arriving",
    beats: [
      does(`chat: ${questions.killed}`),
      stands(receipt, "not done inside the wait: the caller has a receipt"),
      does(`SIGKILL to process ${server.pid}; a new one, ${next.pid}, is asked for the same id`),
      stands(reply, "collected, not generated again"),
      quote(reply),
    ],
    held: reply.status === "completed" && upstream.ledger.postsFor(id) === 1,
  };
  return { act, server: next };
}

/** The first reply may come before upstream's first word; looking costs nothing. */
async function untilStreaming(server: Server, reply: Reply): Promise<Reply> {
  for (let looks = 0; reply.status === "claimed" && looks < 100; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    reply = await server.call("request_status", { request_id: reply.request_id });
  }
  return reply;
}

async function loseForGood({ upstream }: Stage, server: Server, id: string): Promise<Act> {
  const lost = await server.call("chat", { request_id: id, message: questions.unknown });
  const again = await server.call("chat", { request_id: id, message: questions.unknown });
  const given = await server.call("request_status", { request_id: id, action: "abandon" });
  return {
    title: "Lose the connection after the call has left",
    beats: [
      does(`chat: ${questions.unknown}`),
      stands(lost, "it may have been made and billed; nobody can say"),
      does("chat, the same again"),
      stands(again, "still so: not knowing is no reason to pay twice"),
      does("request_status: abandon"),
      stands(given, "a person decided"),
    ],
    held:
      [lost.status, again.status, given.status].join() === "unknown_outcome,unknown_outcome,abandoned" &&
      upstream.ledger.postsFor(id) === 1,
  };
}
