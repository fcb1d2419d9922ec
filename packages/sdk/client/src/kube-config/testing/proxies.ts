import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface TestProxy {
  url: string;
  /** The requested hosts and ports, in order. */
  requests: string[];
}

/** Starts an HTTP CONNECT proxy that connects every client to `port` on this machine. */
export function httpProxy(port: number): Promise<TestProxy> {
  return proxy("http", async (socket, requests) => {
    const [head] = await once(socket, "data");
    requests.push(/^CONNECT (\S+) /.exec(String(head))?.[1] ?? String(head));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    return port;
  });
}

/** Starts a SOCKS 5 proxy (RFC 1928) for names and IPv4 addresses, without a password. */
export function socksProxy(port: number): Promise<TestProxy> {
  return proxy("socks5", async (socket, requests) => {
    await once(socket, "data");
    socket.write(Buffer.from([5, 0]));
    const [request] = (await once(socket, "data")) as [Buffer];
    const [from, end] = request[3] === 3 ? [5, 5 + (request[4] ?? 0)] : [4, 8];
    const host = request.subarray(from, end);
    requests.push(`${request[3] === 3 ? host : host.join(".")}:${request.readUInt16BE(end)}`);
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    return port;
  });
}

/**
 * Starts a proxy that accepts connections and never answers. `requests` has one entry per connection.
 * `closed` resolves when the client closes its connection.
 */
export async function silentProxy(
  scheme: "http" | "socks5",
): Promise<TestProxy & { closed: Promise<unknown> }> {
  const closed = Promise.withResolvers<unknown>();
  const started = await proxy(scheme, (socket, requests) => {
    requests.push("");
    socket.resume();
    socket.once("close", closed.resolve);
    return new Promise(() => {});
  });
  return { ...started, closed: closed.promise };
}

/** @param greet speaks the proxy's protocol, and resolves with the port to connect to */
async function proxy(
  scheme: string,
  greet: (socket: Socket, requests: string[]) => Promise<number>,
): Promise<TestProxy> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    void greet(socket, requests).then((port) => {
      const onward = connect(port, "127.0.0.1");
      open.add(onward);
      onward.on("error", () => {});
      socket.pipe(onward).pipe(socket);
    });
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `${scheme}://127.0.0.1:${address.port}`, requests };
}
