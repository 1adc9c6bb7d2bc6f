/** The second opinions there are prompts for: what each is called, when to want it and what it looks for. */
export interface Opinion {
  name: string;
  title: string;
  description: string;
  /** Asked of the adviser, as the end of "Look for …". */
  looksFor: string;
  /** Sections of the answer beside those every opinion has. */
  sections: readonly string[];
}

export const opinions = [
  {
    name: "ask_chatgpt",
    title: "Ask for advice",
    description: "A second opinion on anything: advice, alternatives, risks, how to break work down.",
    looksFor:
      "advice that can be followed, alternatives, risks, and how the work can be broken into small steps",
    sections: [],
  },
  {
    name: "review_plan",
    title: "Have a plan reviewed",
    description: "A second opinion on a plan before it is carried out.",
    looksFor: "missing steps, unsafe assumptions, scope creep, a better order, and gaps in the tests",
    sections: [],
  },
  {
    name: "review_code",
    title: "Have code reviewed",
    description: "A second opinion on a diff or a piece of code.",
    looksFor:
      "incorrect behaviour and bugs, what is hard to maintain, security, missing tests, and simpler ways",
    sections: ["Issues by Severity", "Suggested Fixes", "Test Suggestions"],
  },
  {
    name: "debug_issue",
    title: "Find the cause of a fault",
    description: "A second opinion on a fault whose cause is not known yet.",
    looksFor:
      "likely causes in order, fast checks that tell them apart, the smallest safe experiments, and what not to change yet",
    sections: ["Likely Causes", "Fast Checks", "Minimal Safe Experiments", "What Not To Do Yet"],
  },
  {
    name: "architecture_review",
    title: "Have a design reviewed",
    description: "A second opinion on a design or a choice of technology.",
    looksFor:
      "what should run locally and what in a cloud, simplicity, operations, lock-in, and paths to extend it later",
    sections: [],
  },
] as const satisfies readonly Opinion[];

export const promptNames: readonly string[] = opinions.map(({ name }) => name);
