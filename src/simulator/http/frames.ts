import { isTerminal, type LoggedEvent } from "../model/api-types.ts";
import { newId } from "../model/id.ts";
import type { Wire } from "../script/delivery.ts";

const LINE_ENDINGS = { lf: "\n", crlf: "\r\n", cr: "\r" } as const;

/** What comes before the first event. */
export function opening(wire: Wire): string {
  return wire.bom ? "\uFEFF" : "";
}

/** One event as the text of the stream, with what the scenario puts around it. */
export function frameOf(wire: Wire, number: number, event: LoggedEvent): string {
  const fields = fieldsOf(wire, number, event);
  const isUnfinished = wire.finalBlankLine === false && isTerminal(event);
  const own = isUnfinished ? lines(wire, fields) : block(wire, fields);
  return commentBefore(wire) + own + brokenEventAfter(wire, event);
}

/** What comes after the last event. */
export function closing(wire: Wire): string {
  return wire.doneMarker ? block(wire, ["data: [DONE]"]) : "";
}

function lines(wire: Wire, content: readonly string[]): string {
  const ending = LINE_ENDINGS[wire.lineEnding ?? "lf"];
  return content.map((line) => line + ending).join("");
}

/** The blank line at the end is what makes a reader take the event. */
function block(wire: Wire, content: readonly string[]): string {
  return lines(wire, [...content, ""]);
}

function commentBefore(wire: Wire): string {
  return wire.comments ? block(wire, [": still here"]) : "";
}

function brokenEventAfter(wire: Wire, event: LoggedEvent): string {
  if (!wire.badJson || event.type !== "response.content_part.added") return "";
  return block(wire, [
    "event: response.output_text.delta",
    'data: {"type":"response.output_text.delta","del',
  ]);
}

function fieldsOf(wire: Wire, number: number, event: LoggedEvent): string[] {
  return [
    ...(wire.idAndRetry ? [`id: ${number}`, "retry: 3000"] : []),
    ...(wire.eventLines === false ? [] : [`event: ${event.type}`]),
    `data: ${JSON.stringify(onTheWire(wire, number, event))}`,
  ];
}

function onTheWire(wire: Wire, number: number, event: LoggedEvent): LoggedEvent {
  const shown =
    wire.rotatingIds && event.response && number > 0 ? withAnotherId(event, event.response) : event;
  return wire.sequenceNumbers === false ? shown : { ...shown, ...{ sequence_number: number } };
}

function withAnotherId(event: LoggedEvent, response: object): LoggedEvent {
  return { ...event, response: { ...response, id: newId("resp") } };
}
