/** A question with everything that can be given, for each tool, as `test/advice/golden` shows it put into words. */
import { opinions } from "../../src/advice/opinions.ts";
import { prepareOpinion } from "../../src/advice/prepare.ts";
import { redact } from "../../src/advice/redaction/redact.ts";
import type { OpinionInput } from "../../src/contract/opinion.ts";
import { policyOf } from "../../src/contract/policy.ts";

export const fullInput: OpinionInput = {
  question: "Is this migration safe to run while the service is up?",
  context: "We tried it once on a copy.\n```sql\nlock table orders;\n```",
  constraints: ["No downtime.", "One change a day,\nand a rollback for each."],
  expected_output: "A yes or no, and why.",
  project_summary: "A shop, with PostgreSQL 16 behind it.",
  task_summary: "Moving orders to a new table.",
  relevant_files: [
    { path: "migrations/007.sql", content: "alter table orders add column x int;\n", language: "sql" },
    { path: "README.md", content: "````\nfour ticks\n````" },
  ],
  logs: "12:00 start\n12:01 done",
};

/** What goes upstream for each tool, by the name of its golden file. */
export async function goldenPrompts(): Promise<Record<string, string>> {
  const prepared = opinions.map(async (opinion) => {
    const { instructions, message } = await prepareOpinion(opinion, fullInput, {
      limits: policyOf(),
      redact,
      layers: { preferences: "Answer in British English.", project: "We keep to PostgreSQL." },
      readFile: null,
    });
    return [
      `test/advice/golden/${opinion.name}.md`,
      `<!-- instructions -->\n${instructions}\n<!-- message -->\n${message}\n`,
    ] as const;
  });
  return Object.fromEntries(await Promise.all(prepared));
}
