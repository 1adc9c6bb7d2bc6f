/** What README.md says of the tools: a table of them all, and the fields of each. */
import * as z from "zod";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";
import { code, details, table } from "./markdown.ts";
import { budgets, tokenCounts } from "./tokens.ts";

const listed = Object.values(toolsetsToLookAt())
  .flat()
  .map((tool) => tool.listed());
type Listed = (typeof listed)[number];

export function tools(): string {
  const rows = listed.map((tool) => [code(tool.name), purposeOf(tool), fieldNames(tool).join(", ")]);
  return table(["tool", "what it does", "fields (required ones bold)"], rows);
}

/** The same for somebody who wonders what it costs, and what a host will ask before it runs one. */
export function catalogue(): string {
  const { byTool, all } = tokenCounts();
  const rows = listed.map((tool) => [
    code(tool.name),
    purposeOf(tool),
    approval(tool),
    readable(byTool[tool.name] ?? 0),
  ]);
  return [
    table(["tool", "what it does", "annotated as", "tokens"], rows),
    "",
    `The whole list takes ${readable(all)} tokens of a model's context (o200k_base), and may never take more than ${readable(budgets.all)}.`,
  ].join("\n");
}

/** Every field of every tool, as the tools' own schemas describe it. */
export function reference(): string {
  return listed
    .map((tool) => details(`<code>${tool.name}</code>`, [escaped(tool.description ?? ""), fieldTable(tool)]))
    .join("\n\n");
}

function fieldTable(tool: Listed): string {
  const rows = Object.entries(fieldsOf(tool)).map(([name, field]) => [
    marked(tool, name),
    typeOf(field),
    escaped(field.description ?? ""),
  ]);
  return table(["field (required ones bold)", "type", "what it is"], rows);
}

/** Required ones first. */
function fieldNames(tool: Listed): string[] {
  const names = Object.keys(fieldsOf(tool)).map((name) => marked(tool, name));
  return [...names.filter((name) => name.startsWith("*")), ...names.filter((name) => !name.startsWith("*"))];
}

const marked = ({ inputSchema }: Listed, name: string) =>
  inputSchema.required?.includes(name) ? `**${name}**` : name;

const fieldSchema = z.object({
  type: z.string(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.string() }).optional(),
});
type Field = z.infer<typeof fieldSchema>;

const fieldsOf = ({ inputSchema }: Listed) =>
  z.record(z.string(), fieldSchema).parse(inputSchema.properties ?? {});

function typeOf({ type, enum: choices, items }: Field): string {
  if (choices !== undefined) return choices.map(code).join(", ");
  return items === undefined ? type : `${type} of ${items.type}s`;
}

const purposeOf = (tool: Listed) => firstSentence(tool.description ?? "") + choicesOf(fieldsOf(tool));

/** `wait, read, inbox, history` of a tool that does several things. */
function choicesOf(fields: Readonly<Record<string, Field>>): string {
  const choices = (fields["action"] ?? fields["operation"])?.enum ?? [];
  return choices.length === 0 ? "" : ` ${choices.map(code).join(", ")}`;
}

/** What a host goes by when it decides whether to ask its user first. */
function approval({ annotations = {} }: Listed): string {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  const words = [
    readOnlyHint ? "reads only" : destructiveHint ? "can destroy" : "changes, destroys nothing",
    ...(openWorldHint ? ["sends to others"] : []),
  ];
  return words.join(", ");
}

const escaped = (text: string) => text.replaceAll("<", "&lt;");
const readable = (count: number) => count.toLocaleString("en-US");
const firstSentence = (text: string) => text.slice(0, text.search(/[.;:](?: |$)/) + 1).replace(/[;:]$/, ".");
