/** What the list of tools costs a model that is shown it, in tokens of o200k_base. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Tool } from "../../src/mcp/tool.ts";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";

/** What each toolset may cost at most, and all of them together. */
export const budgets = { core: 2_800, all: 6_000 } as const;

const toolsets = toolsetsToLookAt();

export interface TokenCounts {
  byTool: Readonly<Record<string, number>>;
  core: number;
  all: number;
}

/** Counted as the lists go over the wire; a list takes a little more than its parts. */
export function tokenCounts(): TokenCounts {
  const all = Object.values(toolsets).flat();
  return {
    byTool: Object.fromEntries(all.map((tool) => [tool.name, tokens(tool.listed())])),
    core: tokensOfList(toolsets.core),
    all: tokensOfList(all),
  };
}

const tokensOfList = (tools: readonly Tool[]) => tokens({ tools: tools.map((tool) => tool.listed()) });

const tokens = (value: unknown) => countTokens(JSON.stringify(value));
