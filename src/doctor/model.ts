import { nearestName } from "../mcp/nearest-name.ts";
import { type Finding, ok, warn } from "./check.ts";

/**
 * @param model the default, null where none is set
 * @param offered what upstream lists; null where it was not asked or gave no list
 */
export function checkModel(model: string | null, offered: readonly string[] | null): Finding {
  if (model === null)
    return ok("OPENAI_MODEL is not set: each call or its session names a model. None is picked silently.");
  if (offered === null) return ok(`${model}, unless a call or its session names another.`);
  if (offered.includes(model))
    return ok(`${model}, which upstream lists, unless a call or its session names another.`);
  const near = nearestName(model, offered);
  return warn(
    `${model} is not among the ${offered.length} models upstream lists for this key.`,
    near === undefined
      ? "Check OPENAI_MODEL; some names work without being listed."
      : `Is ${near} meant? Check OPENAI_MODEL.`,
  );
}
