/** Streams as Ollama's API documentation shows them (docs/api.md, "Generate a chat completion"). */

export const ndjson = { "content-type": "application/x-ndjson" };

const word = (content: string) => ({
  model: "llama3.2",
  created_at: "2026-08-04T08:52:19.385406455-07:00",
  message: { role: "assistant", content },
  done: false,
});

export const done = {
  model: "llama3.2",
  created_at: "2026-08-04T19:22:45.499127Z",
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
  total_duration: 4_883_583_458,
  load_duration: 1_334_875,
  prompt_eval_count: 26,
  prompt_eval_duration: 342_546_000,
  eval_count: 282,
  eval_duration: 4_535_599_000,
};

export const lines = (...documents: object[]) =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join("");

/** A whole answer, a word a document. */
export const answerOf = (text: string, last: object = done) =>
  lines(...(text.match(/\S+\s*/g) ?? []).map(word), last);

/** An answer that stops in the middle. */
export const beginningOf = (text: string) => lines(...(text.match(/\S+\s*/g) ?? []).map(word));
