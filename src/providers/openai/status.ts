/** Whether upstream is done with a response, and how. */
import type { UpstreamEvent, UpstreamResponse } from "./upstream.ts";

export const terminalStatuses = ["completed", "incomplete", "failed", "cancelled"] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

export interface Ending {
  readonly status: TerminalStatus;
  readonly response: UpstreamResponse;
}

const statusByEvent: Readonly<Record<string, TerminalStatus | null>> = {
  "response.completed": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
  "response.cancelled": "cancelled",
  // Some gateways end with this one; it says nothing by itself.
  "response.done": null,
};

/** The end an event brings, or null. The status inside wins over the event's name. */
export function endingOfEvent({ type, response = {} }: UpstreamEvent): Ending | null {
  const named = Object.hasOwn(statusByEvent, type) ? statusByEvent[type] : undefined;
  if (named === undefined) return null;
  const status = terminalStatus(response.status) ?? named;
  return status === null ? null : { status, response };
}

/** The end that a Response fetched as a whole stands for, or null while upstream is still at it. */
export function endingOfResponse(response: UpstreamResponse): Ending | null {
  const status = response.status === undefined ? unstatedStatus(response) : terminalStatus(response.status);
  return status === null ? null : { status, response };
}

/** `status` is optional in the API's types; a server that leaves it out still says enough. */
function unstatedStatus(response: UpstreamResponse): TerminalStatus | null {
  if (response.error) return "failed";
  if (response.incomplete_details) return "incomplete";
  return (response.output?.length ?? 0) > 0 ? "completed" : null;
}

function terminalStatus(status: string | undefined): TerminalStatus | null {
  return terminalStatuses.find((terminal) => terminal === status) ?? null;
}
