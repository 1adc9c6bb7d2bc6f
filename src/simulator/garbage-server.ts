import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A port that speaks no known protocol: `https` to it fails in the TLS handshake, before any request is sent. */
export async function startGarbageServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    // Closed with what the client said unread, it would be reset, which is another fault.
    socket.resume().end("This is not what you were looking for.\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();

  return {
    port: typeof address === "object" && address ? address.port : 0,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
