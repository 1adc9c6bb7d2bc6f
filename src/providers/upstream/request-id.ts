import { identifier } from "./identifier.ts";

/** Upstream's `x-request-id`, or `request-id` as Anthropic calls it; its support asks for it. */
export function requestIdIn(headers: Headers | undefined): string | undefined {
  return identifier(headers?.get("x-request-id") ?? headers?.get("request-id"), 128);
}
