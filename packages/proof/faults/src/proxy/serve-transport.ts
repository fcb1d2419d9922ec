import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, KubeConfig, type Transport } from "@operator-path/client";

export interface ServedTransport {
  /** http://127.0.0.1:<port> */
  readonly url: string;
  readonly port: number;
  /** Without credentials. */
  readonly kubeConfig: KubeConfig;
  close(): Promise<void>;
}

/**
 * Serves a transport over plain HTTP on 127.0.0.1, for clients that bring their own: a simulated server, or
 * one with faults. Errors of the transport become Statuses. Where the transport breaks off, so does the
 * connection.
 */
export async function serveTransport(transport: Transport): Promise<ServedTransport> {
  const server = createServer((request, response) => {
    answer(transport, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "served", server: url, skipTLSVerify: true }, { name: "test" });
  return {
    url,
    port,
    kubeConfig,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  transport: Transport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort(new Error("the client has disconnected")));
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  const asked = {
    method: request.method ?? "GET",
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    signal: disconnected.signal,
  };
  try {
    const watch = ["1", "true"].includes(searchParams.get("watch") ?? "");
    if (!watch) {
      const { status, headers: answered, body } = await transport.request(asked);
      response.writeHead(status, answered).end(body);
      return;
    }
    const { status, headers: answered, body } = await transport.stream(asked);
    response.writeHead(status, answered);
    response.flushHeaders();
    for await (const chunk of body) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end();
  } catch (error) {
    if (!(error instanceof ApiError) || response.headersSent) throw error;
    const retryAfter =
      error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter / 1_000) };
    response
      .writeHead(error.code, { "content-type": "application/json", ...retryAfter })
      .end(JSON.stringify(error.status));
  }
}
