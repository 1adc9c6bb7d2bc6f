import { ClaimcheckError } from "../../contract/errors.ts";

/** @param because a whole sentence's end, after "FILE cannot be sent: " */
export function fileRefused(path: string, because: string, cause?: unknown): ClaimcheckError {
  return new ClaimcheckError(
    "file_refused",
    `relevant_files: ${JSON.stringify(path.slice(0, 200))} cannot be sent: ${because}. Nothing was sent. Leave it out, or pass the lines that matter as context, without secrets.`,
    { details: { fields: ["relevant_files"], path: path.slice(0, 1_024) }, cause },
  );
}
