/** What a person is asked before something is done that cannot be undone. */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import * as z from "zod";

export interface Question {
  /** The action and the thing as it stands. A yes counts for exactly these words, and for nothing else. */
  facts: readonly string[];
  /** As the person reads it: what goes, what stays, what it does not do. */
  text: string;
  /** What has not happened as long as nobody said yes: `Nothing was deleted.` */
  otherwise: string;
  /** The call that asks again. */
  call: string;
  /** The ids that it is about, as results name them. */
  ids: { session_id: string; request_id?: string };
}

/** How a person left a question. */
export type Reply = "yes" | "no" | "dismissed";

/**
 * One box to tick, since some clients refuse a form that asks for nothing (nibor1896/Crow#135). Neither `mode` nor
 * anything else that came after 2025-06-18, the first revision with forms.
 */
export function formOf({ text }: Question): ElicitRequestFormParams {
  return {
    message: text,
    requestedSchema: {
      type: "object",
      properties: { confirm: { type: "boolean", title: "Yes, do it" } },
      required: ["confirm"],
    },
  };
}

const repliedShape = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.unknown().optional(),
});
const ticked = z.looseObject({ confirm: z.literal(true) });

/** Undefined where there is no reply. A form that was sent without the tick is a no. */
export function replyIn(result: unknown): Reply | undefined {
  const replied = repliedShape.safeParse(result);
  if (!replied.success) return undefined;
  if (replied.data.action === "cancel") return "dismissed";
  return replied.data.action === "accept" && ticked.safeParse(replied.data.content).success ? "yes" : "no";
}
