import { identifier } from "./identifier.ts";

/** Upstream's `x-request-id`, which its support asks for. */
export function requestIdIn(headers: Headers | undefined): string | undefined {
  return identifier(headers?.get("x-request-id"), 128);
}
