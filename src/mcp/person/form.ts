/** The form through which a host's user answers a request to a person. */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import * as z from "zod";

/** One field of text; neither `mode` nor anything else that came after 2025-06-18, the first revision with forms. */
export function formFor(prompt: string): ElicitRequestFormParams {
  return {
    message: `This question is for you. Answer it, or copy it to whomever you like and paste what they say. Closing the form leaves it open: claimcheck answer takes the answer later.\n\n${prompt}`,
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer" } },
      required: ["answer"],
    },
  };
}

const answered = z.looseObject({
  action: z.literal("accept"),
  content: z.looseObject({ answer: z.string() }),
});

/** What was written; null where the form was closed, sent empty, or is not there. */
export function answerIn(result: unknown): string | null {
  const { data } = answered.safeParse(result);
  return data === undefined || data.content.answer.trim() === "" ? null : data.content.answer;
}
