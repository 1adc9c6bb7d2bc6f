/**
 * About how many tokens a text is. Latin text has about four characters a token (OpenAI, "What are tokens and how to
 * count them?"), Chinese, Japanese and Korean about one. An estimate: only upstream counts for certain.
 */
export function estimatedTokens(text: string): number {
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}
