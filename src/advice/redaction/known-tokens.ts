/**
 * Keys and tokens that show what they are, with nothing beside them to say so. Shapes as the vendors' own pages and
 * secret scanners describe them; more generous in length than those, since lengths change.
 */
import { isDrawn } from "./chance.ts";
import type { Secret, SecretKind } from "./secret.ts";

interface Shape {
  kind: SecretKind;
  pattern: RegExp;
  /** The prefix is one that words can have too: what follows must look drawn. */
  onlyDrawn?: true;
}

const shapes: readonly Shape[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek and others.
  {
    kind: "api_key",
    pattern: /(?<![\p{L}\p{N}_-])sk-[A-Za-z0-9_-]{16,512}(?![A-Za-z0-9_-])/gu,
    onlyDrawn: true,
  },
  {
    kind: "api_key",
    pattern: /(?<![\p{L}\p{N}_])(?:xai|gsk|pplx|r8|nvapi|fw|csk)[-_][A-Za-z0-9_-]{20,256}/gu,
    onlyDrawn: true,
  },
  // Google.
  { kind: "api_key", pattern: /(?<![\w-])AIza[A-Za-z0-9_-]{35}(?![\w-])/g },
  { kind: "token", pattern: /(?<![\w-])ya29\.[A-Za-z0-9_-]{20,1024}/g },
  { kind: "token", pattern: /(?<![\w-])GOCSPX-[A-Za-z0-9_-]{20,64}/g },
  // AWS: ids of keys; the secret half has no shape of its own.
  { kind: "api_key", pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  // GitHub, GitLab.
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])gh[pousr]_[A-Za-z0-9_]{20,255}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])github_pat_[A-Za-z0-9_]{20,255}/gu },
  {
    kind: "token",
    pattern: /(?<![\p{L}\p{N}_])gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat|agent|oas)-[A-Za-z0-9_-]{20,255}/gu,
  },
  // Packages and models.
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])npm_[A-Za-z0-9]{30,64}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])pypi-[A-Za-z0-9_-]{50,512}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])(?:hf|api_org)_[A-Za-z0-9]{30,64}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])rubygems_[0-9a-f]{40,64}/gu },
  // Chat, mail, payment.
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,255}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])xapp-\d-[A-Za-z0-9-]{20,255}/gu },
  { kind: "token", pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,255}/g },
  { kind: "token", pattern: /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)[A-Za-z0-9_-]{40,128}/g },
  {
    kind: "token",
    pattern: /(?<![\w-])[MNO][A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![\w-])/g,
    onlyDrawn: true,
  },
  { kind: "token", pattern: /(?<![\w:])\d{8,10}:AA[A-Za-z0-9_-]{32,36}(?![\w-])/g },
  { kind: "api_key", pattern: /(?<![\p{L}\p{N}_])(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,255}/gu },
  { kind: "api_key", pattern: /(?<![\p{L}\p{N}_])whsec_[A-Za-z0-9+/]{24,255}={0,2}/gu },
  { kind: "api_key", pattern: /(?<![\w.])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g },
  { kind: "api_key", pattern: /(?<![\w-])key-[0-9a-f]{32}(?![\w-])/g },
  {
    kind: "api_key",
    pattern: /(?<![\w-])(?:sq0(?:atp|csp|idp)|EAAA)-?[A-Za-z0-9_-]{22,64}/g,
    onlyDrawn: true,
  },
  { kind: "api_key", pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  // Clouds and tools.
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])do[opr]_v1_[0-9a-f]{64}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])hv[sbr]\.[A-Za-z0-9_-]{24,300}/gu },
  { kind: "token", pattern: /(?<![\p{L}\p{N}_])(?:shpat|shpca|shppa|shpss)_[A-Za-z0-9]{32,64}/gu },
  {
    kind: "token",
    pattern:
      /(?<![\p{L}\p{N}_])(?:lin_api|ntn|secret|figd|glc|glsa|dp\.pt|dapi|tskey|pul|phc|phx|sntrys|sbp|fly|vercel|nfp|PMAK|atlasv1|rnd|whk)[-_.]?[A-Za-z0-9_+/-]{28,400}={0,2}/gu,
    onlyDrawn: true,
  },
  { kind: "token", pattern: /(?<![A-Z0-9])AGE-SECRET-KEY-1[A-Z0-9]{50,64}/g },
  // JSON Web Tokens: header and claims, signed or not; and encrypted, where four parts follow the header.
  {
    kind: "token",
    pattern: /(?<![\w-])eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{4,8192}(?:\.[A-Za-z0-9_-]{0,8192})?/g,
  },
  {
    kind: "token",
    pattern:
      /(?<![\w-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{0,8192}\.[A-Za-z0-9_-]{12,256}\.[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{16,256}/g,
  },
];

export function* findKnownTokens(text: string): Iterable<Secret> {
  for (const { kind, pattern, onlyDrawn } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const [token] = match;
      if (onlyDrawn && !isDrawn(token)) continue;
      yield { start: match.index, end: match.index + token.length, kind };
    }
  }
  yield* findAwsSecrets(text);
}

const awsId = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g;
const fortySigns = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
/** How far from its id the secret half of a key is looked for. */
const nearby = 256;

function* findAwsSecrets(text: string): Iterable<Secret> {
  let from = 0;
  for (const { index } of text.matchAll(awsId)) {
    const begin = Math.max(from, index - nearby);
    const end = index + nearby;
    for (const match of text.slice(begin, end).matchAll(fortySigns)) {
      if (!isDrawn(match[0])) continue;
      yield { start: begin + match.index, end: begin + match.index + 40, kind: "api_key" };
    }
    from = Math.max(from, begin);
  }
}
