/** The question as the adviser reads it. Only what was given has a heading; what is data stands in fences. */
import { fenced } from "./fence.ts";
import { type Material, mapTexts, type SourceFile } from "./material.ts";

/** Project, task, question, then snippets and logs. */
export function messageFor(material: Material): string {
  const { projectSummary, taskSummary, constraints, question, expectedOutput, context, files, logs } =
    material;
  return [
    ...part("Project summary", projectSummary),
    ...part("Task", taskSummary),
    ...part("Constraints", constraints.length === 0 ? null : constraints.map(asItem).join("\n")),
    ...part("Question", question),
    ...part("Expected output", expectedOutput),
    ...part("Context", context === null ? null : fenced(context)),
    ...files.flatMap((file) => part(`File ${nameOf(file)}`, fenced(file.content))),
    ...part("Logs", logs === null ? null : fenced(logs)),
  ].join("\n\n");
}

/**
 * UTF-16 units that all texts take, the layers too, without what we put around them. It is more than their length
 * where one needs a long fence or has to be escaped.
 */
export function charsOf(material: Material): number {
  const { preferences, project } = material;
  const frame = messageFor(mapTexts(material, () => ""));
  return messageFor(material).length - frame.length + (preferences ?? "").length + (project ?? "").length;
}

const part = (heading: string, text: string | null) => (text === null ? [] : [`# ${heading}\n\n${text}`]);

/** Further lines of an item belong to it. */
const asItem = (text: string) => `- ${text.replaceAll("\n", "\n  ")}`;

/** On one line, since it stands in a heading. */
const nameOf = ({ path, language }: SourceFile) =>
  `${onOneLine(path)}${language === null ? "" : ` (${onOneLine(language)})`}`;

/** JSON leaves the line ends of Unicode as they are. */
const onOneLine = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
