import { opinionNamed } from "../advice/opinions.ts";
import { type Sections, sectionsOf } from "../advice/sections/sections.ts";
import type { RequestView } from "../contract/views.ts";

/** Fields beside a text double it; a long one is left to be read as it is. UTF-16 units. */
const longestDoubled = 12_000;

/** The view of an opinion with its sections as fields, where the whole answer is in it and not long. */
export function withSections(view: RequestView): RequestView & { sections?: Sections } {
  const opinion = opinionNamed(view.tool);
  const { text } = view;
  if (opinion === undefined || text === undefined || text === "") return view;
  if (text.length > longestDoubled || view.total_chars !== text.length) return view;
  const sections = sectionsOf(opinion, text);
  if (sections === null) return view;
  const { status, request_id, session_id, ...rest } = view;
  return { status, request_id, session_id, sections, ...rest };
}
