/** The tools that ask for a second opinion, in the order in which they are listed. */
export const opinionTools = [
  "ask_chatgpt",
  "review_plan",
  "review_code",
  "debug_issue",
  "architecture_review",
] as const;
export type OpinionTool = (typeof opinionTools)[number];
