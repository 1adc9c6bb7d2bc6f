/**
 * What the simulated model answers by itself: it repeats the last message, and it remembers a code word, so that a
 * chain of turns can be seen to work.
 *
 * @param heard every input text from the first turn of the chain to this one, oldest first
 */
export function defaultReply(heard: readonly string[]): string {
  const message = heard.at(-1) ?? "";
  if (!/what (is|was) the code word/i.test(message)) return `You said: ${message}`;
  return lastCodeWord(heard) ?? "I have not been told a code word.";
}

function lastCodeWord(heard: readonly string[]): string | undefined {
  const words = heard.flatMap((text) => /code word is ["']?([\p{L}\p{N}-]+)/iu.exec(text)?.[1] ?? []);
  return words.at(-1);
}
