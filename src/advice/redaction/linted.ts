/** The rules of secretlint, asked one by one and at once; see SPEC.md for why these. */
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleContext, SecretLintSourceCode } from "@secretlint/types";
import type { Secret } from "./secret.ts";

/**
 * What is looked for by other means here, and more closely: addresses and keys in blocks; of AWS and npm the rules give
 * the place of the name, not of the secret; and filter-comments is a rule about rules.
 */
const leftOut = [
  "aws",
  "basicauth",
  "database-connection-string",
  "privatekey",
  "gcp",
  "npm",
  "filter-comments",
].map((name) => `@secretlint/secretlint-rule-${name}`);

const asked = rules.filter(({ meta }) => !leftOut.includes(meta.id));

export function* findLinted(text: string): Iterable<Secret> {
  const found: Secret[] = [];
  const kind = "token";
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: "", messageId: "", data: {} }),
    report: ({ range: [start, end] }) => void found.push({ start, end, kind }),
    ignore: () => {},
  };
  const source = sourceOf(text);
  for (const rule of asked) rule.create(context, {}).file?.(source);
  yield* found;
}

/** A text without a name. The rules ask where it is from, never where in it a line begins. */
function sourceOf(content: string): SecretLintSourceCode {
  const start = { line: 1, column: 0 };
  return {
    content,
    hasBOM: false,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: "text",
    ext: "",
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start, end: start }),
    positionToIndex: () => 0,
    indexToPosition: () => start,
  };
}
