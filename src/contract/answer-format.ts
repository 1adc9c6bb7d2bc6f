/** The shape an answer is asked to have, for providers that can hold one to it. */
export interface AnswerFormat {
  /** Letters, digits, dashes and underscores, at most 64. */
  readonly name: string;
  /** JSON Schema in the subset that OpenAI's strict mode takes: closed objects, every member required. */
  readonly schema: Readonly<Record<string, unknown>>;
}
