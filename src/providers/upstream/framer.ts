/**
 * Cuts a stream of bytes into whole server-sent events. The SDK (6.49) bounds nothing, scans an unfinished event
 * again with every chunk, and loses a last event that has no blank line after it; whole events spare it all three.
 */
import { Oversized } from "./oversized.ts";

const lf = 0x0a;
const cr = 0x0d;
const blankLine = "\n\n";
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Framer {
  /**
   * Takes the next bytes and gives the events they complete, each with LF line ends and its blank line.
   *
   * @throws {Oversized} as soon as one event is known to be larger than the limit.
   */
  push(chunk: Uint8Array): Buffer[];
  /** What was left without a blank line, now with one; null where nothing was. */
  end(): Buffer | null;
}

/** @param limit most bytes of one event, its blank line included */
export function createFramer(limit: number): Framer {
  const unify = createUnifier();
  const rest = createRest(limit);
  let first = true;

  function complete(bytes: Buffer): Buffer {
    const event = rest.take(bytes);
    const marked = first && event.subarray(0, 3).equals(byteOrderMark);
    first = false;
    return marked ? event.subarray(3) : event;
  }

  return {
    push(chunk) {
      const bytes = unify(chunk);
      const events: Buffer[] = [];
      let start = 0;
      let end = rest.endsInLineFeed() && bytes[0] === lf ? 1 : afterBlankLine(bytes, 0);
      while (end > 0) {
        events.push(complete(bytes.subarray(start, end)));
        start = end;
        end = afterBlankLine(bytes, start);
      }
      rest.add(bytes.subarray(start));
      return events;
    },
    end() {
      if (rest.isEmpty()) return null;
      return complete(Buffer.from(rest.endsInLineFeed() ? "\n" : blankLine));
    },
  };
}

function afterBlankLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(blankLine, from);
  return at < 0 ? -1 : at + blankLine.length;
}

/** CRLF and CR become LF, also where a pair is split between chunks. A lone CR ends its line at once. */
function createUnifier() {
  let afterCr = false;

  return (chunk: Uint8Array): Buffer => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!afterCr && !bytes.includes(cr)) return bytes;
    const unified = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      const secondHalf = byte === lf && afterCr;
      afterCr = byte === cr;
      if (!secondHalf) unified[length++] = afterCr ? lf : byte;
    }
    return unified.subarray(0, length);
  };
}

/** The bytes of the event that is not finished yet, in one growing buffer. */
function createRest(limit: number) {
  let held = Buffer.alloc(0);
  let length = 0;

  function grow(size: number) {
    if (size > limit) throw new Oversized(limit);
    if (size <= held.length) return;
    const larger = Buffer.allocUnsafe(Math.max(size, held.length * 2));
    held.copy(larger, 0, 0, length);
    held = larger;
  }

  function add(bytes: Buffer) {
    grow(length + bytes.length);
    bytes.copy(held, length);
    length += bytes.length;
  }

  return {
    add,
    /** The held bytes and these as one event; nothing is held afterwards. */
    take(bytes: Buffer): Buffer {
      if (length === 0 && bytes.length <= limit) return bytes;
      add(bytes);
      const event = Buffer.from(held.subarray(0, length));
      length = 0;
      return event;
    },
    isEmpty: () => length === 0,
    endsInLineFeed: () => length > 0 && held[length - 1] === lf,
  };
}
