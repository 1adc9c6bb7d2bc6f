/** Pages of a long text: by UTF-16 units, concatenating to the original, never splitting a character. */

export interface Page {
  text: string;
  /** Where this page really begins: an offset inside a character is aligned down. */
  offset: number;
  totalChars: number;
  /** Absent on the last page. */
  nextOffset?: number;
}

/** @param size most UTF-16 units of the page; at least 2, so that any character fits */
export function pageOf(text: string, offset: number, size: number): Page {
  const start = alignDown(text, Math.min(offset, text.length));
  const end = alignDown(text, Math.min(start + size, text.length));
  const page = { text: text.slice(start, end), offset: start, totalChars: text.length };
  return end < text.length ? { ...page, nextOffset: end } : page;
}

function alignDown(text: string, index: number): number {
  const splitsPair = isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
  return splitsPair ? index - 1 : index;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
