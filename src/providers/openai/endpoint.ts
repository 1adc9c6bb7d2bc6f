/** OpenAI's endpoint: the API, and for whom it is asked. */
import { type Endpoint as ApiEndpoint, endpointOf as apiAt, headerText } from "../upstream/endpoint.ts";

export interface EndpointOptions {
  apiKey: string;
  /** The API's root, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  organization?: string | null;
  project?: string | null;
}

export interface Endpoint extends ApiEndpoint {
  readonly organization: string | null;
  readonly project: string | null;
}

/** @throws {ClaimcheckError} `key_missing` or `config_invalid`, for an endpoint that must not or cannot be used */
export function endpointOf(given: EndpointOptions): Endpoint {
  return {
    ...apiAt(given, {
      provider: "openai",
      key: "OPENAI_API_KEY",
      baseUrl: "OPENAI_BASE_URL",
      example: "https://api.openai.com/v1",
    }),
    organization: headerText("OPENAI_ORG_ID", given.organization),
    project: headerText("OPENAI_PROJECT_ID", given.project),
  };
}
