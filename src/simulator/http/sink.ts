import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { constants, createGzip } from "node:zlib";
import type { Wire } from "../script/delivery.ts";

/** Where the bytes of a stream go. Writing to a connection that is gone does nothing. */
export interface Sink {
  write(bytes: Buffer): Promise<void>;
  /** Hands over what a sink may have kept back. */
  flush(): Promise<void>;
  end(): Promise<void>;
}

export function openSink(outgoing: ServerResponse, wire: Wire): Sink {
  const sink = wire.gzip ? gzipSink(outgoing) : plainSink(outgoing);
  if (wire.writes === "burst") return inOneBurst(sink);
  if (wire.writes === "bytes") return byteByByte(sink);
  return sink;
}

function plainSink(outgoing: ServerResponse): Sink {
  return {
    write: (bytes) => written(outgoing, bytes),
    flush: async () => {},
    end: async () => {
      outgoing.end();
    },
  };
}

function gzipSink(outgoing: ServerResponse): Sink {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  gzip.pipe(outgoing);
  return {
    write: (bytes) => written(gzip, bytes),
    flush: async () => {},
    end: async () => {
      gzip.end();
    },
  };
}

function written(to: Writable, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    to.write(bytes, () => resolve());
  });
}

function inOneBurst(sink: Sink): Sink {
  const kept: Buffer[] = [];
  const flush = () => sink.write(Buffer.concat(kept.splice(0)));
  return {
    write: async (bytes) => {
      kept.push(bytes);
    },
    flush,
    end: async () => {
      await flush();
      await sink.end();
    },
  };
}

/** A turn of the event loop lies between two bytes, so that they travel in packets of their own. */
function byteByByte(sink: Sink): Sink {
  return {
    ...sink,
    write: async (bytes) => {
      for (let at = 0; at < bytes.length; at += 1) {
        await sink.write(bytes.subarray(at, at + 1));
        await nextTurn();
      }
    },
  };
}
