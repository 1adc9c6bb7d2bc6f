/** What second opinions need of this machine. Loaded with the first one that is asked for, and not before. */
import type { Config } from "../config.ts";
import type { Advice } from "../mcp/tools/opinions.ts";

export function adviceFor({ advice, policy }: Config): Advice {
  return {
    models: advice.models,
    structured: advice.structuredAnswers,
    async prepare(opinion, input) {
      const [{ prepareOpinion }, { readLayers }, { contextDirectory }, { redact }] = await Promise.all([
        import("../advice/prepare.ts"),
        import("../advice/layers.ts"),
        import("../advice/context/directory.ts"),
        import("../advice/redaction/redact.ts"),
      ]);
      return prepareOpinion(opinion, input, {
        limits: policy,
        redact: advice.redactSecrets ? redact : null,
        layers: await readLayers({ preferences: advice.preferencesFile, project: advice.projectFile }),
        readFile: advice.contextDirectory === null ? null : contextDirectory(advice.contextDirectory),
      });
    },
  };
}
