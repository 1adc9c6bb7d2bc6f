import type { ApiEvent, OutputItem, OutputText } from "./api-types.ts";
import { newId } from "./id.ts";
import type { Citation, PlannedItem } from "./plan.ts";

type ItemStatus = "completed" | "incomplete";
type Spoken = Generator<ApiEvent, OutputItem>;

/** The events of the planned items, one item after the other; returns the items as they are in `response.output`. */
export function* speak(
  items: readonly PlannedItem[],
  lastStatus: ItemStatus,
): Generator<ApiEvent, OutputItem[]> {
  const output: OutputItem[] = [];
  for (const [index, item] of items.entries()) {
    const status = index === items.length - 1 ? lastStatus : "completed";
    output.push(yield* speakItem(item, index, status));
  }
  return output;
}

function speakItem(item: PlannedItem, index: number, status: ItemStatus): Spoken {
  switch (item.kind) {
    case "reasoning":
      return speakReasoning(index);
    case "message":
      return speakMessage(item, index, status);
    case "refusal":
      return speakRefusal(item.chunks, index, status);
    case "function_call":
      return speakFunctionCall(item.name, item.chunks, index, status);
  }
}

function* speakReasoning(output_index: number): Spoken {
  const item: OutputItem = { id: newId("rs"), type: "reasoning", summary: [] };
  yield { type: "response.output_item.added", output_index, item };
  yield { type: "response.output_item.done", output_index, item };
  return item;
}

function* speakMessage(
  { chunks, phase, citations }: Extract<PlannedItem, { kind: "message" }>,
  output_index: number,
  status: ItemStatus,
): Spoken {
  const item_id = newId("msg");
  const at = { item_id, output_index, content_index: 0 };
  const message = { id: item_id, type: "message", role: "assistant", ...(phase && { phase }) } as const;
  const text = chunks.join("");
  const annotations = citations.map((citation) => annotationOf(citation, text));
  const part: OutputText = { type: "output_text", annotations, logprobs: [], text };
  const item: OutputItem = { ...message, status, content: [part] };

  yield {
    type: "response.output_item.added",
    output_index,
    item: { ...message, status: "in_progress", content: [] },
  };
  yield { type: "response.content_part.added", ...at, part: { ...part, annotations: [], text: "" } };
  for (const delta of chunks) yield { type: "response.output_text.delta", ...at, delta, logprobs: [] };
  for (const [annotation_index, annotation] of annotations.entries()) {
    yield { type: "response.output_text.annotation.added", ...at, annotation_index, annotation };
  }
  yield { type: "response.output_text.done", ...at, text, logprobs: [] };
  yield { type: "response.content_part.done", ...at, part };
  yield { type: "response.output_item.done", output_index, item };
  return item;
}

function annotationOf({ url, title }: Citation, text: string) {
  return { type: "url_citation", start_index: 0, end_index: text.length, url, title } as const;
}

function* speakRefusal(chunks: readonly string[], output_index: number, status: ItemStatus): Spoken {
  const item_id = newId("msg");
  const at = { item_id, output_index, content_index: 0 };
  const message = { id: item_id, type: "message", role: "assistant" } as const;
  const refusal = chunks.join("");
  const part = { type: "refusal", refusal } as const;
  const item: OutputItem = { ...message, status, content: [part] };

  yield {
    type: "response.output_item.added",
    output_index,
    item: { ...message, status: "in_progress", content: [] },
  };
  yield { type: "response.content_part.added", ...at, part: { ...part, refusal: "" } };
  for (const delta of chunks) yield { type: "response.refusal.delta", ...at, delta };
  yield { type: "response.refusal.done", ...at, refusal };
  yield { type: "response.content_part.done", ...at, part };
  yield { type: "response.output_item.done", output_index, item };
  return item;
}

function* speakFunctionCall(
  name: string,
  chunks: readonly string[],
  output_index: number,
  status: ItemStatus,
): Spoken {
  const item_id = newId("fc");
  const call = { id: item_id, type: "function_call", call_id: newId("call"), name } as const;
  const args = chunks.join("");
  const item: OutputItem = { ...call, arguments: args, status };

  yield {
    type: "response.output_item.added",
    output_index,
    item: { ...call, arguments: "", status: "in_progress" },
  };
  for (const delta of chunks)
    yield { type: "response.function_call_arguments.delta", item_id, output_index, delta };
  yield { type: "response.function_call_arguments.done", item_id, output_index, name, arguments: args };
  yield { type: "response.output_item.done", output_index, item };
  return item;
}
