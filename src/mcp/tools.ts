import type { Tool } from "./tool.ts";
import { answers } from "./tools/answers.ts";
import { chat } from "./tools/chat.ts";
import { type Advice, adviceTools } from "./tools/opinions.ts";
import { requestStatus } from "./tools/request-status.ts";
import { sessions } from "./tools/sessions.ts";

/** The toolset `core`, in the order it is listed: always the same, so hosts can cache it. */
export const coreTools: readonly Tool[] = [chat, answers, sessions, requestStatus];

export interface Toolsets {
  core: readonly Tool[];
  advice: readonly Tool[];
}

/** All tools there are, by toolset. */
export function toolsetsWith(advice: Advice): Toolsets {
  return { core: coreTools, advice: adviceTools(advice) };
}

/** The same to look at and not to call: for documents and counts. */
export function toolsetsToLookAt(): Toolsets {
  const prepare = () => Promise.reject(new Error("These tools are to look at."));
  return toolsetsWith({ prepare, models: {}, structured: true });
}
