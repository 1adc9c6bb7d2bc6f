/** Doors of an https upstream that do not open, or not at once. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./world.ts";

/** Gives the port of a server that does `greet` with everyone who connects. */
export async function door(greet: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    greet(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** The certificate's file, for whoever is to trust it. */
  file: string;
}

/** A certificate for 127.0.0.1 that nobody has heard of. Needs `openssl`. */
export function selfSigned(): Certificate {
  const directory = temporaryDirectory();
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const how = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const whose = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...how, ...whose, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { key: readFileSync(key), cert: readFileSync(cert), file: cert };
}

/** Speaks TLS with whoever connects and hands what is said on to `port`; without a port it hangs up. */
export function tlsGreeter({ key, cert }: Partial<Certificate>, port?: number): (socket: Socket) => void {
  const tls = createTlsServer({ ...(key && { key }), ...(cert && { cert }) }, (client) => {
    client.on("error", () => undefined);
    if (port === undefined) client.end();
    else client.pipe(connect(port, "127.0.0.1").on("error", () => client.destroy())).pipe(client);
  });
  tls.on("tlsClientError", () => undefined);
  return (socket) => void tls.emit("connection", socket);
}

/** An `--import` that makes the process's first `times` name look-ups fail as if there were no network. */
export function forgetfulResolver(times: number, code: "ENOTFOUND" | "EAI_AGAIN"): string {
  const source = `
    import dns from "node:dns";
    const lookup = dns.lookup;
    let left = ${times};
    dns.lookup = (host, options, done) => {
      if (left-- <= 0) return lookup(host, options, done);
      setImmediate(done, Object.assign(new Error("getaddrinfo ${code} " + host), { code: "${code}", syscall: "getaddrinfo" }));
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}
