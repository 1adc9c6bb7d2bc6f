/** The second opinions there are: what each is called, when to want it, what it looks for and how it is answered. */
import type { OpinionTool } from "../contract/opinion-tools.ts";

export interface Opinion {
  name: OpinionTool;
  title: string;
  description: string;
  /** Asked of the adviser, as the end of "Look for …". */
  looksFor: string;
  /** All of its answer, in order. */
  sections: readonly Section[];
}

/** A part of the answer: a field of structured output and a heading of plain text. */
export interface Section {
  key: string;
  heading: string;
  kind: "text" | "list" | "confidence";
}

const section = (kind: Section["kind"], heading: string): Section => ({
  key: heading.toLowerCase().replaceAll(" ", "_"),
  heading,
  kind,
});

/** What every opinion says, around what is its own. */
const withSections = (...own: Section[]): readonly Section[] => [
  section("text", "Summary"),
  section("text", "Recommendation"),
  section("list", "Key Concerns"),
  section("list", "Suggested Next Steps"),
  ...own,
  section("confidence", "Confidence"),
  section("text", "Notes"),
];

export const opinions: readonly Opinion[] = [
  {
    name: "ask_chatgpt",
    title: "Ask for advice",
    description: "A second opinion on anything: advice, alternatives, risks, how to break work down.",
    looksFor:
      "advice that can be followed, alternatives, risks, and how the work can be broken into small steps",
    sections: withSections(),
  },
  {
    name: "review_plan",
    title: "Have a plan reviewed",
    description: "A second opinion on a plan before it is carried out.",
    looksFor: "missing steps, unsafe assumptions, scope creep, a better order, and gaps in the tests",
    sections: withSections(),
  },
  {
    name: "review_code",
    title: "Have code reviewed",
    description: "A second opinion on a diff or a piece of code.",
    looksFor:
      "incorrect behaviour and bugs, what is hard to maintain, security, missing tests, and simpler ways",
    sections: withSections(
      section("list", "Issues by Severity"),
      section("list", "Suggested Fixes"),
      section("list", "Test Suggestions"),
    ),
  },
  {
    name: "debug_issue",
    title: "Find the cause of a fault",
    description: "A second opinion on a fault whose cause is not known yet.",
    looksFor:
      "likely causes in order, fast checks that tell them apart, the smallest safe experiments, and what not to change yet",
    sections: withSections(
      section("list", "Likely Causes"),
      section("list", "Fast Checks"),
      section("list", "Minimal Safe Experiments"),
      section("list", "What Not To Do Yet"),
    ),
  },
  {
    name: "architecture_review",
    title: "Have a design reviewed",
    description: "A second opinion on a design or a choice of technology.",
    looksFor:
      "what should run locally and what in a cloud, simplicity, operations, lock-in, and paths to extend it later",
    sections: withSections(),
  },
];

export function opinionNamed(name: string): Opinion | undefined {
  return opinions.find((opinion) => opinion.name === name);
}
