/** What the suite needs of a server that it did not write: an address, and the server's own record of its calls. */
export interface Upstream extends Journal {
  /** What a user would set OPENAI_BASE_URL to. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export interface Journal {
  /** Every call the server received, oldest first, by its own account. */
  calls(): Promise<Call[]>;
}

export interface Call {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** As the journal keeps it; some keep it translated into another API's shape. */
  body?: unknown;
  /** What it was answered with; null where the journal does not say. */
  status: number | null;
}

/** The paid calls made for one request. Ours carry its id in `X-Client-Request-Id`. */
export async function postsFor(upstream: Journal, requestId: string): Promise<Call[]> {
  const calls = await upstream.calls();
  return calls.filter(
    ({ method, path, headers }) =>
      method === "POST" && path.endsWith("/responses") && headers["x-client-request-id"] === requestId,
  );
}

/** How often a response was asked for, or asked to be cancelled. */
export async function callsAbout(
  upstream: Journal,
  responseId: string,
  method: "GET" | "POST",
): Promise<Call[]> {
  const calls = await upstream.calls();
  return calls.filter((call) => call.method === method && call.path.includes(`/responses/${responseId}`));
}
