import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { hostOf, portOf } from "./proxy.ts";

/**
 * The destination of a tunnel. `host` is a name, which the proxy resolves, or an address without brackets.
 */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection to `destination` through a proxy: CONNECT over HTTP or HTTPS (RFC 9110), SOCKS 5 (RFC
 * 1928) or SOCKS 4a. The proxy resolves names, with `socks5:` too, as in Go. The certificate of an https
 * proxy must come from an authority that Node trusts.
 *
 * The library `socks` speaks SOCKS. CONNECT needs no library: it is one request of Node's HTTP client, which
 * the signal can cancel.
 *
 * @throws the signal's reason, even while the proxy is silent; the error of the connection; the refusal of
 *   the proxy
 */
export async function openTunnel(proxy: URL, destination: Destination, signal: AbortSignal): Promise<Socket> {
  const open = proxy.protocol.startsWith("socks") ? openSocks : openConnect;
  const socket = await open(proxy, destination, signal).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  if (!signal.aborted) return socket.setNoDelay(true);
  socket.destroy();
  throw signal.reason;
}

async function openConnect(proxy: URL, { host, port }: Destination, signal: AbortSignal): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const name = hostOf(proxy);
  const options = {
    ...{ method: "CONNECT", path: authority, headers: { host: authority, ...authorization(proxy) } },
    ...{ host: name, port: portOf(proxy), servername: isIP(name) ? "" : name, agent: false, signal },
  };
  const request = (proxy.protocol === "https:" ? https : http).request(options);
  request.end();
  const [response, socket, head] = (await once(request, "connect")) as [http.IncomingMessage, Socket, Buffer];
  const { statusCode, statusMessage = "" } = response;
  if (statusCode !== 200) {
    socket.destroy();
    throw new Error(`the proxy answered ${statusCode} ${statusMessage}`.trimEnd());
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}

function authorization(proxy: URL): http.OutgoingHttpHeaders {
  const { username, password } = accountOf(proxy);
  if (username === "" && password === "") return {};
  return { "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

async function openSocks(proxy: URL, destination: Destination, signal: AbortSignal): Promise<Socket> {
  // Loaded on demand: few programs use a SOCKS proxy.
  const { SocksClient } = await import("socks");
  const [host, port] = [hostOf(proxy), Number(portOf(proxy))];
  const socket = connect({ host, port, signal });
  try {
    await once(socket, "connect");
    const { username, password } = accountOf(proxy);
    const type = proxy.protocol.startsWith("socks4") ? 4 : 5;
    const account = username === "" ? {} : { userId: username, password };
    await SocksClient.createConnection({
      ...{ command: "connect", destination, existing_socket: socket },
      proxy: { host, port, type, ...account },
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function accountOf({ username, password }: URL): { username: string; password: string } {
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
