/** `.env.example`, printed from the table of variables; a test keeps the committed file equal to it. */
import { type Variable, variableGroups } from "./variables.ts";

const preface = `# Every variable claimcheck reads. This file is an example and is never loaded by itself:
# claimcheck serve --env-file PATH reads one, and the real environment goes before it.
# A variable that is empty counts as unset.
`;

export function envExample(): string {
  return [preface, ...variableGroups.map(groupText)].join("\n");
}

function groupText({ title, variables }: (typeof variableGroups)[number]): string {
  return `# --- ${title} ---\n\n${variables.map(entryText).join("\n")}`;
}

function entryText({ env, fallback, takes, purpose }: Variable): string {
  return `# ${purpose}\n# Takes ${takes}. Default: ${fallback}.\n${env}=\n`;
}
