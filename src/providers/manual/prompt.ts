/** A call as text that a person can paste into whatever they like to ask. */
import type { PaidCall, Turn } from "../provider.ts";

/** Instructions, the conversation so far, the message, and the sections wanted; each under a line that says so. */
export function promptFor({ instructions, transcript, message, format }: PaidCall): string {
  return [
    ...(instructions === null ? [] : [part("Instructions", instructions)]),
    ...transcript.flatMap(turnOf),
    part(transcript.length === 0 ? "Question" : "Question now", message),
    ...(format === null ? [] : [part("Answer", sectionsWanted(format.schema))]),
  ].join("\n\n");
}

const part = (name: string, text: string) => `=== ${name} ===\n\n${text}`;

function turnOf({ message, answer }: Turn, index: number): string[] {
  return [part(`Question ${index + 1}`, message), part(`Answer ${index + 1}`, answer)];
}

/** A person's chat window takes no schema; headings do as well. */
function sectionsWanted(schema: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(Object(schema["properties"])).map((name) => name.replaceAll("_", " "));
  return `Write Markdown with these headings: ${names.join(", ")}.`;
}
