import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { UsageError } from "../errors.ts";
import { createSpdyConnection, type SpdyConnection } from "../spdy/connection.ts";
import type { Transport } from "../transport.ts";
import { connect, type PodReference, podPath } from "./pod-reference.ts";

export interface ForwardedPort {
  /** On this machine. */
  readonly local: number;
  /** In the Pod. */
  readonly remote: number;
}

export interface PortForwardOptions {
  /** The local address to listen on. Default 127.0.0.1. On any other address, every program that can reach that address can reach the Pod. */
  address?: string;
  /**
   * Called for each local connection that fails: with PortForwardError when the node cannot connect to the port, ApiError
   * when the server refuses, RequestError when the connection to the server breaks. Default: the local connection is
   * reset, and nothing is reported.
   */
  onError?: (error: Error, port: ForwardedPort) => void;
  /** Closes the forwarding. */
  signal?: AbortSignal;
}

export interface PortForward extends AsyncDisposable {
  /** In the order in which they were given, with the local ports that were free. */
  readonly ports: readonly ForwardedPort[];
  /** Stops listening, and closes the connections. */
  close(): Promise<void>;
}

/** The node could not connect to a port of a Pod. */
export class PortForwardError extends Error {
  override readonly name = "PortForwardError";
  readonly port: ForwardedPort;

  constructor(message: string, port: ForwardedPort) {
    super(message);
    this.port = port;
  }
}

/** SPDY inside of a WebSocket. API servers have it since Kubernetes 1.31 (KEP-4006). */
const protocol = "SPDY/3.1+portforward.k8s.io";

/**
 * Listens on local ports, and forwards their connections to ports of a Pod, as `kubectl port-forward`. All connections
 * share one WebSocket. It is opened before this resolves; when it breaks, the next local connection opens another.
 *
 * @param ports each a port of the Pod, for which a free local port is chosen, or `{ local, remote }`
 * @throws ApiError when the server refuses
 * @throws RequestError when there is no answer
 * @throws the error of a local port that is in use; the signal's reason
 */
export async function portForward(
  client: Transport,
  pod: PodReference,
  ports: readonly (number | { local?: number; remote: number })[],
  options: PortForwardOptions = {},
): Promise<PortForward> {
  const { address = "127.0.0.1", onError, signal } = options;
  const wanted = ports.map((port) => (typeof port === "number" ? { remote: port } : port));
  for (const { local = 0, remote } of wanted) checkPorts(local, remote);
  if (wanted.length === 0) throw new UsageError("portForward needs a port");
  const path = podPath(pod, "portforward");
  const closing = new AbortController();
  const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  let tunnel: Promise<Tunnel> | undefined;
  let requests = 0;

  function currentTunnel(): Promise<Tunnel> {
    if (tunnel) return tunnel;
    const opening = openTunnel(client, path, ended);
    const forget = () => {
      if (tunnel === opening) tunnel = undefined;
    };
    opening.then(({ connection }) => connection.closed.then(forget), forget);
    tunnel = opening;
    return opening;
  }

  async function forward(local: Socket, port: ForwardedPort): Promise<void> {
    const report = (error: Error) => {
      if (!ended.aborted) onError?.(error, port);
    };
    local.on("error", () => {});
    const opened = await currentTunnel().catch((error: Error) => {
      local.resetAndDestroy();
      report(error);
    });
    if (!opened) return;
    const { connection } = opened;
    const headers = { port: String(port.remote), requestid: String(requests++) };
    const failure = connection.open({ ...headers, streamtype: "error" });
    const data = connection.open({ ...headers, streamtype: "data" });
    let problem = "";
    failure.end();
    failure.on("data", (chunk: Buffer) => {
      problem += chunk;
    });
    failure.once("end", () => {
      if (problem === "") return;
      report(
        new PortForwardError(`port ${port.remote} of Pod ${pod.namespace}/${pod.name}: ${problem}`, port),
      );
      data.destroy();
    });
    data.once("end", () => {
      if (problem === "") local.end();
    });
    data.once("close", () => {
      if (data.readableEnded && problem === "") return;
      local.resetAndDestroy();
      const { error } = opened;
      if (error) report(error);
    });
    local.once("close", () => data.destroy());
    local.pipe(data);
    data.pipe(local, { end: false });
    if (local.destroyed) data.destroy();
  }

  await currentTunnel();
  const servers: Server[] = [];
  const open = new Set<Socket>();
  const closed = Promise.withResolvers<void>();
  ended.addEventListener("abort", () => {
    for (const socket of open) socket.destroy();
    const listening = servers.filter(({ listening }) => listening);
    void Promise.all(listening.map((server) => new Promise((resolve) => server.close(resolve)))).then(() =>
      closed.resolve(),
    );
  });
  const forwarded: ForwardedPort[] = [];
  try {
    for (const { local, remote } of wanted) {
      // Half-open, so that either side can end its half first.
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        open.add(socket);
        socket.once("close", () => open.delete(socket));
        void forward(socket, port);
      });
      servers.push(server);
      server.listen(local ?? 0, address);
      await once(server, "listening");
      const port = { local: (server.address() as AddressInfo).port, remote };
      // Without a listener, an accept that fails would end the process.
      server.on("error", (error) => onError?.(error, port));
      forwarded.push(port);
      ended.throwIfAborted();
    }
  } catch (error) {
    closing.abort(error);
    // Also one that began to listen when the signal aborted.
    for (const server of servers) server.close();
    throw error;
  }
  const close = () => {
    closing.abort(new Error("the forwarding was closed"));
    return closed.promise;
  };
  return { ports: forwarded, close, [Symbol.asyncDispose]: close };
}

interface Tunnel {
  readonly connection: SpdyConnection;
  /** Why it broke. */
  error?: Error;
}

async function openTunnel(client: Transport, path: string, signal: AbortSignal): Promise<Tunnel> {
  const { socket } = await connect(client, { path, signal, protocols: [protocol] });
  const tunnel: Tunnel = { connection: createSpdyConnection(socket, { role: "client" }) };
  socket.prependListener("error", (error) => {
    tunnel.error = error;
  });
  return tunnel;
}

function checkPorts(local: number, remote: number): void {
  const isPort = (port: number) => Number.isInteger(port) && port <= 65_535;
  if (!isPort(remote) || remote < 1) throw new UsageError(`${remote} is not a port (expected 1 to 65535)`);
  if (!isPort(local) || local < 0) throw new UsageError(`${local} is not a local port (expected 0 to 65535)`);
}
