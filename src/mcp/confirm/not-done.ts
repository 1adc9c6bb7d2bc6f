/** What a call ends with when nobody said yes. */
import type { Answer } from "../reply.ts";
import type { Question, Reply } from "./question.ts";

/** How an asking ends: by the person, by nobody in time, or by a host that could not ask. */
export type Ending = Reply | "unanswered" | "host_failed";

const whatToDo: Record<Exclude<Ending, "yes">, (call: string) => string> = {
  no: () => "The person was asked and said no. Leave it at that unless they bring it up again.",
  dismissed: (call) =>
    `The person closed the question without an answer. Ask them what they want before you call again: ${call}`,
  unanswered: (call) =>
    `Nobody answered while this call waited. Ask the person whether they want it, then call again: ${call}`,
  host_failed: (call) =>
    `The host says that it can ask the person, but it failed to. Tell them. Call again once: ${call}. If it fails again, they have to switch the host's forms (elicitation) off; then the call goes straight through.`,
};

/** A person's no is not an error to mend; a question that never reached them is. */
const isFault: Record<Exclude<Ending, "yes">, boolean> = {
  no: false,
  dismissed: false,
  unanswered: true,
  host_failed: true,
};

export function notDone({ ids, otherwise, call }: Question, reason: Exclude<Ending, "yes">): Answer {
  return {
    body: { status: "not_done", ...ids, next: `${otherwise} ${whatToDo[reason](call)}`, reason },
    isError: isFault[reason],
  };
}
