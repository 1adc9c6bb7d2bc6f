/** Texts made shorter in the middle: how something begins and how it ends says most of it. */

/** What a marker takes at most, number included. */
export const markerChars = 64;

/**
 * At most `max` UTF-16 units of `text`: its beginning and its end, and between them how much was left out.
 *
 * @param headShare how much of what stays is beginning, 0 to 1
 */
export function cutMiddle(text: string, max: number, headShare: number): string {
  if (text.length <= max) return text;
  const room = Math.max(0, max - markerChars);
  const head = text.slice(0, startOfCharacter(text, Math.floor(room * headShare)));
  const tail = text.slice(endOfCharacter(text, text.length - (room - head.length)));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** An index that does not stand between the halves of a character; before or after it. */
const startOfCharacter = (text: string, index: number) => (isLow(text.charCodeAt(index)) ? index - 1 : index);
const endOfCharacter = (text: string, index: number) => (isLow(text.charCodeAt(index)) ? index + 1 : index);
