import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface TestProxy {
  url: string;
  /** Hosts and ports that it was asked for, in order. */
  asked: string[];
}

/** A proxy of HTTP CONNECT that takes everybody to `port` of this machine, whatever host was asked for. */
export function httpProxy(port: number): Promise<TestProxy> {
  return proxy("http", async (socket, asked) => {
    const [head] = await once(socket, "data");
    asked.push(/^CONNECT (\S+) /.exec(String(head))?.[1] ?? String(head));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    return port;
  });
}

/** One of SOCKS 5 (RFC 1928), for hosts by name and by IPv4 address, without a password. */
export function socksProxy(port: number): Promise<TestProxy> {
  return proxy("socks5", async (socket, asked) => {
    await once(socket, "data");
    socket.write(Buffer.from([5, 0]));
    const [request] = (await once(socket, "data")) as [Buffer];
    const [from, end] = request[3] === 3 ? [5, 5 + (request[4] ?? 0)] : [4, 8];
    const host = request.subarray(from, end);
    asked.push(`${request[3] === 3 ? host : host.join(".")}:${request.readUInt16BE(end)}`);
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    return port;
  });
}

/** One that takes connections and says nothing; `asked` has one entry a connection, and `left` when it was closed. */
export async function silentProxy(
  scheme: "http" | "socks5",
): Promise<TestProxy & { left: Promise<unknown> }> {
  const left = Promise.withResolvers<unknown>();
  const made = await proxy(scheme, (socket, asked) => {
    asked.push("");
    socket.resume();
    socket.once("close", left.resolve);
    return new Promise(() => {});
  });
  return { ...made, left: left.promise };
}

/** @param greet answers the proxy's protocol, and says to which port what follows belongs */
async function proxy(
  scheme: string,
  greet: (socket: Socket, asked: string[]) => Promise<number>,
): Promise<TestProxy> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    void greet(socket, asked).then((port) => {
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
  return { url: `${scheme}://127.0.0.1:${address.port}`, asked };
}
