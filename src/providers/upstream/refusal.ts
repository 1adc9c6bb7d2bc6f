/** An HTTP answer that is no answer: what of it may be told and stored. */
import * as z from "zod";
import type { Failure } from "../../../machines/evidence.ts";
import { identifier } from "./identifier.ts";
import type { Facts } from "./one-fetch.ts";
import { requestIdIn } from "./request-id.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface HttpRefusal {
  readonly status: number;
  /** The API's own code, or the type of error where it gave no code. */
  readonly upstreamCode: string | undefined;
  readonly upstreamParam: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the API itself speaks, and not a gateway before it: its error envelope and a request id. */
  readonly enveloped: boolean;
  /** ms, null where none was asked for. */
  readonly retryAfterMs: number | null;
}

const envelope = z.object({
  error: z.object({
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    param: z.unknown().optional(),
  }),
});

/**
 * Reads a refusal off the SDK's error and the reply's headers; null where no HTTP refusal was received.
 *
 * @param now wall time in ms, for a `Retry-After` date
 */
export function refusalOf(error: unknown, { reply }: Facts, now: number): HttpRefusal | null {
  if (reply === null || (reply.status >= 200 && reply.status < 300)) return null;
  const said = envelope.safeParse(error).data?.error;
  const requestId = requestIdIn(reply.headers);
  return {
    status: reply.status,
    upstreamCode: identifier(said?.code, 128) ?? identifier(said?.type, 128),
    upstreamParam: identifier(said?.param, 256),
    requestId,
    enveloped: said !== undefined && requestId !== undefined,
    retryAfterMs: retryAfterMs(reply.headers, now),
  };
}

export function failureFrom(refusal: HttpRefusal, code: Failure["code"]): Failure {
  const { status, upstreamCode, upstreamParam, requestId, retryAfterMs: delay } = refusal;
  return {
    code,
    status,
    ...(upstreamCode !== undefined && { upstreamCode }),
    ...(upstreamParam !== undefined && { upstreamParam }),
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
    ...(delay !== null && { retryAfterS: delay / 1_000 }),
  };
}
