/** A stream of JSON documents, one a line (https://github.com/ollama/ollama/blob/main/docs/api.md, "Streaming"). */
import { Oversized } from "../upstream/oversized.ts";

const lf = 0x0a;

/**
 * The documents of a stream. Blank lines are left out; a last one without its line end counts, if it is whole.
 *
 * @param limit most bytes of one line
 * @param onCutOff told when the last line had no end: it may be only half of one
 * @throws {Oversized} for a longer line · {SyntaxError} for a line that is no JSON
 */
export async function* documentsIn(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onCutOff: () => void,
): AsyncGenerator<unknown> {
  let held: Uint8Array[] = [];
  let size = 0;
  const hold = (piece: Uint8Array) => {
    size += piece.length;
    if (size > limit) throw new Oversized(limit);
    held.push(piece);
  };
  const line = () => {
    const text = Buffer.concat(held).toString("utf8").trim();
    held = [];
    size = 0;
    return text;
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(lf); end >= 0; end = chunk.indexOf(lf, start)) {
      hold(chunk.subarray(start, end));
      start = end + 1;
      const text = line();
      if (text !== "") yield JSON.parse(text);
    }
    hold(chunk.subarray(start));
  }
  const last = line();
  if (last === "") return;
  onCutOff();
  yield JSON.parse(last);
}
