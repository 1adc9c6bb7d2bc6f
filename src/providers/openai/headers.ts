import type { Endpoint } from "./endpoint.ts";

interface Saying {
  expects: "stream" | "json";
  clientRequestId?: string;
  hasBody: boolean;
}

/** The whole of what is said about us. The SDK's own headers (platform, runtime, version) stay here. */
export function headersFor(endpoint: Endpoint, saying: Saying): Record<string, string> {
  return {
    accept: saying.expects === "stream" ? "text/event-stream" : "application/json",
    authorization: `Bearer ${endpoint.apiKey}`,
    "user-agent": "claimcheck",
    ...(saying.hasBody && { "content-type": "application/json" }),
    ...(endpoint.organization !== null && { "openai-organization": endpoint.organization }),
    ...(endpoint.project !== null && { "openai-project": endpoint.project }),
    ...(saying.clientRequestId !== undefined && { "x-client-request-id": saying.clientRequestId }),
  };
}
