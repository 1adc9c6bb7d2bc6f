/**
 * Asking the person who uses the host, where the host can, and letting everything else straight through. One yes
 * is one action: it counts for what was asked, as it was when it was asked.
 */
import { type InputRequiredResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import type { Engine } from "../../engine/engine.ts";
import type { Client } from "../client.ts";
import type { Answer } from "../reply.ts";
import { askNow } from "./ask-now.ts";
import { notDone } from "./not-done.ts";
import { formOf, type Question, replyIn } from "./question.ts";
import { isSealOf, sealOf } from "./seal.ts";

export interface Asking {
  client: Client;
  request: ServerContext["mcpReq"];
  engine: () => Promise<Engine>;
  /** What is left of the call's wait, in ms. */
  leftMs: () => number;
}

/** Reads what would be done now; undefined where it would do nothing. Rejects where it would be refused. */
export type Describe = () => Promise<Question | undefined>;

/** Undefined where it may be done; else what the call ends with: the question, or that it was not done. */
export async function confirmed(
  asking: Asking,
  describe: Describe,
): Promise<Answer | InputRequiredResult | undefined> {
  if (!asking.client.showsForms) return undefined;
  return asking.client.era === "modern" ? betweenCalls(asking, describe) : duringTheCall(asking, describe);
}

/** The only thing that is asked for in one call. */
const key = "confirm";

/**
 * Since 2026-07-28 the question is the result, and the answer comes with the same call once more (specification
 * 2026-07-28, basic/patterns/mrtr). A yes without the seal of what would be done now is a yes to something else.
 */
async function betweenCalls({ request, engine }: Asking, describe: Describe) {
  const question = await describe();
  if (question === undefined) return undefined;
  const reply = replyIn(request.inputResponses?.[key]);
  if (reply === "no" || reply === "dismissed") return notDone(question, reply);
  const connected = await engine();
  if (reply === "yes" && isSealOf(connected, question, request.requestState())) return undefined;
  return inputRequired({
    inputRequests: { [key]: inputRequired.elicit(formOf(question)) },
    requestState: sealOf(connected, question),
  });
}

/** In the era of handshakes the call stays open meanwhile, and things may change under the question. */
async function duringTheCall({ request, leftMs }: Asking, describe: Describe) {
  for (;;) {
    const question = await describe();
    if (question === undefined) return undefined;
    const ending = await askNow(request, formOf(question), leftMs());
    if (ending !== "yes") return notDone(question, ending);
    if (isSame(question, await describe())) return undefined;
  }
}

function isSame({ facts }: Question, now: Question | undefined): boolean {
  return now === undefined || JSON.stringify(now.facts) === JSON.stringify(facts);
}
