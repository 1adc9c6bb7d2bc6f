import { bodyTooLarge, invalidRequest, Rejection } from "../model/api-error.ts";
import type { Call } from "./call.ts";

const BODY_LIMIT = 32 * 1024 * 1024;

/**
 * The body as JSON, and its size.
 *
 * @throws Rejection (413, 400) where it is too large or not JSON
 */
export async function readJson(call: Call): Promise<{ body: unknown; bytes: number }> {
  const bytes = await readBytes(call);
  try {
    return { body: JSON.parse(bytes.toString("utf8")), bytes: bytes.length };
  } catch {
    throw new Rejection(invalidRequest("We could not parse the JSON body of your request."));
  }
}

/** What is too much is read to its end all the same, and dropped: a client hears nothing while it is still sending. */
async function readBytes({ incoming }: Call): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= BODY_LIMIT) chunks.push(bytes);
    else chunks.length = 0;
  }
  if (size > BODY_LIMIT) throw new Rejection(bodyTooLarge(BODY_LIMIT));
  return Buffer.concat(chunks);
}
