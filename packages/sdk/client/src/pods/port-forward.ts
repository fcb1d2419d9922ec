import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { UsageError } from "../errors.ts";
import { createSpdyConnection, type SpdyConnection } from "../spdy/connection.ts";
import type { Transport } from "../transport.ts";
import { connect, type PodReference, podPath } from "./pod-reference.ts";

/** A pair of ports. */
export interface ForwardedPort {
  /** The port on this machine. */
  readonly local: number;
  /** The port of the Pod. */
  readonly remote: number;
}

/** Configures `portForward`. */
export interface PortForwardOptions {
  /**
   * The local address to listen on. Default 127.0.0.1. With any other address, all programs that can reach
   * that address can reach the Pod.
   */
  address?: string;
  /**
   * Called for each local connection that fails. The error is a PortForwardError if the node cannot connect
   * to the port, an ApiError if the server refuses the request, and a RequestError if the connection to the
   * server breaks. Default: the local connection is reset without a report.
   */
  onError?: (error: Error, port: ForwardedPort) => void;
  /** Stops the forwarding. */
  signal?: AbortSignal;
}

/** A running port forward. */
export interface PortForward extends AsyncDisposable {
  /** The forwarded ports in the requested order, with the actual local ports. */
  readonly ports: readonly ForwardedPort[];
  /** Stops listening and closes all connections. */
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

/** SPDY in a WebSocket. API servers support it since Kubernetes 1.31 (KEP-4006). */
const protocol = "SPDY/3.1+portforward.k8s.io";

/**
 * Listens on local ports and forwards connections to ports of a Pod, like `kubectl port-forward`. All
 * connections share one WebSocket. It is open when the promise resolves. If it breaks, the next local
 * connection opens another.
 *
 * @param ports each is a port of the Pod, forwarded from a free local port, or `{ local, remote }`
 * @throws ApiError when the server refuses
 * @throws RequestError when there is no answer
 * @throws the system's error if a local port is in use; the signal's reason
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
      // Half-open: either side may end its half first.
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        open.add(socket);
        socket.once("close", () => open.delete(socket));
        void forward(socket, port);
      });
      servers.push(server);
      server.listen(local ?? 0, address);
      await once(server, "listening");
      const port = { local: (server.address() as AddressInfo).port, remote };
      // Without a listener, a failed accept would end the process.
      server.on("error", (error) => onError?.(error, port));
      forwarded.push(port);
      ended.throwIfAborted();
    }
  } catch (error) {
    closing.abort(error);
    // One of them may have started to listen just as the signal aborted.
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
  /** The error that broke it. */
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
