import type { AnswerFormat } from "../../contract/answer-format.ts";
import type { Opinion, Section } from "../opinions.ts";

export const confidences = ["Low", "Medium", "High"] as const;

/** The shape of an opinion's answer, in the subset of JSON Schema that OpenAI's strict mode takes. */
export function answerFormatOf({ name, sections }: Opinion): AnswerFormat {
  return {
    name,
    schema: {
      type: "object",
      properties: Object.fromEntries(sections.map((section) => [section.key, schemaOf(section)])),
      required: sections.map(({ key }) => key),
      additionalProperties: false,
    },
  };
}

function schemaOf({ kind, heading }: Section): Record<string, unknown> {
  switch (kind) {
    case "text":
      return { type: "string", description: heading };
    case "list":
      return { type: "array", items: { type: "string" }, description: heading };
    case "confidence":
      return { type: "string", enum: [...confidences], description: heading };
  }
}
