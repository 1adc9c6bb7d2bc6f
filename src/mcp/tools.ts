import type { Tool } from "./tool.ts";
import { answers } from "./tools/answers.ts";
import { chat } from "./tools/chat.ts";
import { requestStatus } from "./tools/request-status.ts";
import { sessions } from "./tools/sessions.ts";

/** The toolset `core`, in the order it is listed: always the same, so hosts can cache it. */
export const coreTools: readonly Tool[] = [chat, answers, sessions, requestStatus];
