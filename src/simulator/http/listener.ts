import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A port of the loopback interface that can be closed for a while. */
export interface Listener {
  readonly port: number;
  /** Refuses new connections; those that are busy may finish. */
  pause(): Promise<void>;
  /** Listens on the same port again. */
  resume(): Promise<void>;
  /** Ends everything, busy connections too. */
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that none meets it closing one. */
const KEEP_ALIVE_MS = 10 * 60 * 1_000;

export async function listen(handle: RequestListener, wantedPort: number): Promise<Listener> {
  const sockets = new Set<Socket>();
  let server = await open(handle, wantedPort, sockets);
  const port = portOf(server);
  let closed = false;

  return {
    port,

    async pause() {
      if (!server.listening) return;
      // Not awaited: the server counts as closed when its last busy connection has ended.
      server.close();
      server.closeIdleConnections();
    },

    async resume() {
      if (!server.listening && !closed) server = await open(handle, port, sockets);
    },

    async close() {
      closed = true;
      const ended = server.listening ? once(server, "close") : undefined;
      server.close();
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

async function open(handle: RequestListener, port: number, sockets: Set<Socket>): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handle);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("request", (_incoming, outgoing) => {
    // Kept alive, a connection would let its client in while the port is closed.
    outgoing.on("finish", () => setImmediate(() => server.listening || server.closeIdleConnections()));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}
