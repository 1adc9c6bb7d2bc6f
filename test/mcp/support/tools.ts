/** All tools there are; second opinions are prepared as they are for a user who set nothing. */
import { prepareOpinion } from "../../../src/advice/prepare.ts";
import { redact } from "../../../src/advice/redaction/redact.ts";
import { policyOf } from "../../../src/contract/policy.ts";
import { toolsetsWith } from "../../../src/mcp/tools.ts";

export const allTools = Object.values(
  toolsetsWith({
    models: {},
    structured: true,
    prepare: (opinion, input) =>
      prepareOpinion(opinion, input, {
        limits: policyOf(),
        redact,
        layers: { preferences: null, project: null },
        readFile: null,
      }),
  }),
).flat();
