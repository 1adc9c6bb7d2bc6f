/** What second opinions are given beside the call: files, layers, models; and whether secrets are taken out. */
import { type OpinionTool, opinionTools } from "../contract/opinion-tools.ts";
import { absolutePath, onOrOff, textUpTo } from "./parsers.ts";
import type { Reader } from "./reader.ts";

export interface AdviceConfig {
  redactSecrets: boolean;
  /** Whether answers are held to a JSON schema where the provider can do that. */
  structuredAnswers: boolean;
  /** Where named files may be read from; null where none may. */
  contextDirectory: string | null;
  /** Files whose text goes before every question; null for none. */
  preferencesFile: string | null;
  projectFile: string | null;
  /** The model of a tool where neither call nor session names one. */
  models: Readonly<Partial<Record<OpinionTool, string>>>;
}

/** Name of the variable that sets a tool's model, such as `CLAIMCHECK_MODEL_REVIEW_CODE`. */
export const modelVariable = (tool: OpinionTool) => `CLAIMCHECK_MODEL_${tool.toUpperCase()}`;

export function readAdvice(reader: Reader): AdviceConfig {
  return {
    redactSecrets: reader.read("CLAIMCHECK_REDACT_SECRETS", onOrOff) ?? true,
    structuredAnswers: reader.read("CLAIMCHECK_STRUCTURED_ANSWERS", onOrOff) ?? true,
    contextDirectory: readContextDirectory(reader),
    preferencesFile: reader.read("CLAIMCHECK_PREFERENCES_FILE", absolutePath),
    projectFile: reader.read("CLAIMCHECK_PROJECT_FILE", absolutePath),
    models: readModels(reader),
  };
}

/** Two settings, so that a directory left over from another day gives nothing away. */
function readContextDirectory(reader: Reader): string | null {
  const directory = reader.read("CLAIMCHECK_CONTEXT_DIR", absolutePath);
  const enabled = reader.read("CLAIMCHECK_ENABLE_FILE_CONTEXT", onOrOff) ?? false;
  if (!enabled) return null;
  if (directory === null && !reader.problems.some(({ variable }) => variable === "CLAIMCHECK_CONTEXT_DIR")) {
    reader.complain(
      "CLAIMCHECK_CONTEXT_DIR",
      "CLAIMCHECK_CONTEXT_DIR must name the directory that files may be read from, since CLAIMCHECK_ENABLE_FILE_CONTEXT is on.",
    );
  }
  return directory;
}

function readModels(reader: Reader): AdviceConfig["models"] {
  const named = opinionTools.map((tool) => [tool, reader.read(modelVariable(tool), textUpTo(256))] as const);
  return Object.fromEntries(named.filter(([, model]) => model !== null));
}
