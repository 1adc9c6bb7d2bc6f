/** What came between two line feeds, or the two ends of it when it was too long to keep. */
export type Line = { kind: "line"; text: string } | { kind: "oversized"; head: string; tail: string };

/** Bytes kept of either end of an oversized line: enough to find out which request it was. */
const endBytes = 1_024;
const lineFeed = 0x0a;

/**
 * Cuts a byte stream into lines of at most `maxBytes`. Longer ones are thrown away as they arrive, so memory
 * stays bounded; what follows them is read as if nothing had happened.
 */
export function lineSplitter(maxBytes: number): (chunk: Buffer) => Line[] {
  let pending = emptyLine();
  return (chunk) => {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      keep(pending, chunk.subarray(from, end), maxBytes);
      lines.push(finished(pending));
      pending = emptyLine();
      from = end + 1;
    }
    keep(pending, chunk.subarray(from), maxBytes);
    return lines;
  };
}

interface PendingLine {
  pieces: Buffer[];
  bytes: number;
  oversized: { head: Buffer; tail: Buffer } | null;
}

function emptyLine(): PendingLine {
  return { pieces: [], bytes: 0, oversized: null };
}

function keep(line: PendingLine, piece: Buffer, maxBytes: number): void {
  if (line.oversized !== null) {
    line.oversized.tail = Buffer.concat([line.oversized.tail, piece]).subarray(-endBytes);
    return;
  }
  line.pieces.push(piece);
  line.bytes += piece.length;
  if (line.bytes <= maxBytes) return;
  const whole = Buffer.concat(line.pieces);
  // Copies, so that the large buffer behind them can go.
  line.oversized = {
    head: Buffer.from(whole.subarray(0, endBytes)),
    tail: Buffer.from(whole.subarray(-endBytes)),
  };
  line.pieces = [];
}

function finished({ pieces, oversized }: PendingLine): Line {
  if (oversized === null) return { kind: "line", text: Buffer.concat(pieces).toString("utf8") };
  return { kind: "oversized", head: oversized.head.toString("utf8"), tail: oversized.tail.toString("utf8") };
}
