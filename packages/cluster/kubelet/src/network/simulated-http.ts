import { createServer, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";

/** An HTTP request as a simulated process receives it. */
export interface SimulatedRequest {
  method: string;
  /** Path with query, such as `/healthz?verbose`. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Address of the client. */
  from: string;
}

export interface SimulatedResponse {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export type HttpHandler = (request: SimulatedRequest) => SimulatedResponse | Promise<SimulatedResponse>;

/** The longest request body that a simulated server reads, in bytes. */
const maxBody = 1024 * 1024;

/**
 * Returns a function that serves HTTP/1.1 on connections, including keep-alive and HEAD. It listens on no
 * port. Response headers keep the handler's order and spelling.
 */
export function createHttpAcceptor(handler: HttpHandler): (connection: Duplex, from: string) => void {
  const clients = new WeakMap<object, string>();
  // The server never listens, so it has no timers. A connection lasts until one side closes it. A Keep-Alive
  // header would announce a timeout that does not exist.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    void (async () => {
      const body = await textOf(incoming);
      if (body === undefined) {
        response.writeHead(413, { connection: "close" });
        response.end();
        return;
      }
      const answer = await handler({
        method: incoming.method ?? "GET",
        path: incoming.url ?? "/",
        headers: headersOf(incoming),
        body,
        from: clients.get(incoming.socket) ?? "127.0.0.1",
      });
      const bytes = Buffer.from(answer.body);
      response.sendDate = false;
      response.writeHead(answer.status, { ...answer.headers, "Content-Length": bytes.length });
      response.end(bytes);
    })().catch(() => response.destroy());
  });
  // A client that has closed its sending side still expects the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", (_error, connection) => {
    if (connection.writable) connection.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
  return (connection, from) => {
    clients.set(connection, from);
    connection.on("error", () => {});
    server.emit("connection", connection);
  };
}

async function textOf(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBody) chunks.push(chunk);
  }
  return length > maxBody ? undefined : Buffer.concat(chunks).toString();
}

function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

/**
 * Sends one HTTP request over a connection, and closes the connection.
 * @param options.tls uses TLS without checking the certificate, as a kubelet's probes do
 * @throws Error when the connection ends before the response
 */
export async function requestOver(
  connection: Duplex,
  options: Omit<SimulatedRequest, "from"> & { tls?: boolean; signal?: AbortSignal },
): Promise<SimulatedResponse> {
  connection.on("error", () => {});
  const stream = options.tls ? connectTls({ socket: connection, rejectUnauthorized: false }) : connection;
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        createConnection: () => stream,
        method: options.method,
        path: options.path,
        headers: { connection: "close", ...options.headers },
        setDefaultHeaders: false,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      outgoing.end(options.body);
    });
    const body = await buffer(message);
    return { status: message.statusCode ?? 0, headers: headersOf(message), body: body.toString() };
  } finally {
    connection.destroy();
  }
}
