import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { createConnectionPair, refused, unknownHost } from "./connections.ts";
import {
  createHttpAcceptor,
  type HttpHandler,
  requestOver,
  type SimulatedResponse,
} from "./simulated-http.ts";

/** A listening port. Without `http` and `accept` it accepts TCP connections and sends nothing. */
export interface Listener {
  http?: HttpHandler;
  /**
   * Handles a TCP connection.
   * @param from the client's address
   */
  accept?(connection: Duplex, from: string): void;
}

/** The client. Its namespace determines how names are resolved, and servers see its address. */
export interface Caller {
  /** Default `default`. */
  namespace?: string;
  /** Default 127.0.0.1. */
  from?: string;
}

/** One request of a simulated client or a probe. */
export interface OutgoingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  tls?: boolean;
  signal?: AbortSignal;
}

/** A port while something listens on it. */
export interface Listening {
  /** Accepts no more connections. Open ones continue. */
  close(): void;
  /** Closes the port and breaks its open connections, as when the process ends. */
  abort(): void;
}

/** The network namespace of one Pod. Its containers share address and ports. */
export interface NetworkNamespace {
  readonly ip: string;
  /** @throws Error when the port is taken in this Pod, with the C library's message */
  listen(port: number, listener: Listener): Listening;
  /** Whether something in this Pod listens on the port. */
  listens(port: number): boolean;
  /**
   * Forwards the port to 127.0.0.1:hostPort, where a process of this Pod listens.
   * @returns withdraws the port
   */
  expose(port: number, hostPort: number): () => void;
  /** Returns the addresses of a host name or address as seen from the Pod. undefined: the name is unknown. */
  resolve(host: string): readonly string[] | undefined;
  /**
   * Connects to what listens there: this Pod, another Pod, or a Service.
   * @throws DialError
   */
  dial(host: string, port: number): Promise<Duplex>;
  /**
   * Sends one HTTP request.
   * @throws DialError, or Error when the connection breaks
   */
  request(host: string, port: number, request: OutgoingRequest): Promise<SimulatedResponse>;
  /** Removes the Pod from the network and breaks its connections. */
  detach(): void;
}

/** The names and virtual addresses that Services add to a network of Pods. */
export interface ServiceRoutes {
  /** Returns the addresses of a DNS name, as a Pod of the namespace resolves it. */
  resolve(name: string, namespace: string): readonly string[] | undefined;
  /**
   * Returns where a connection to a Service's address goes: a Pod's address, or a loopback port of the host.
   * `refused`: the Service has no endpoint for it. undefined: the address belongs to no Service.
   */
  route(ip: string, port: number, from: string): { ip: string; port: number } | "refused" | undefined;
}

/**
 * The Pod network. All nodes of a cluster share it, so that Pods reach each other across nodes. Simulated
 * Pods do not use the host's network. The ports of a Pod that is a process are loopback ports of the host
 * (`expose`).
 */
export interface PodNetwork {
  /** @param namespace the Pod's namespace, in which its names are resolved */
  attach(ip: string, hostname?: string, namespace?: string): NetworkNamespace;
  /**
   * Connects to what listens there. Each direction can be closed by itself.
   * @throws DialError
   */
  dial(host: string, port: number, caller?: Caller): Promise<Duplex>;
  /**
   * Sends one HTTP request.
   * @throws DialError, or Error when the connection breaks
   */
  request(host: string, port: number, request: OutgoingRequest, caller?: Caller): Promise<SimulatedResponse>;
  /** Adds the names and addresses of Services from now on. */
  useServices(routes: ServiceRoutes): void;
}

/** The ports of one Pod: simulated listeners, and loopback ports of the host. */
interface Ports {
  listeners: Map<number, Listener>;
  exposed: Map<number, number>;
  open: Set<Duplex>;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0"]);

export function createPodNetwork(): PodNetwork {
  const pods = new Map<string, Ports>();
  let services: ServiceRoutes | undefined;
  const accepted = new WeakMap<Listener, Set<Duplex>>();
  const acceptors = new WeakMap<Listener, (connection: Duplex, from: string) => void>();

  function resolve(host: string, namespace = "default"): readonly string[] | undefined {
    if (pods.has(host) || isAddress(host)) return [host];
    return services?.resolve(host, namespace);
  }

  /** Returns what a connection reaches. undefined: nothing listens there. */
  function target(ip: string, port: number, from: string): Target | undefined {
    const pod = pods.get(ip);
    if (pod) return onPod(pod, port);
    const route = services?.route(ip, port, from);
    if (route === undefined || route === "refused") return undefined;
    if (route.ip === "127.0.0.1") return { hostPort: route.port };
    const behind = pods.get(route.ip);
    return behind && onPod(behind, route.port);
  }

  async function dial(
    host: string,
    port: number,
    { namespace, from = "127.0.0.1" }: Caller = {},
  ): Promise<Duplex> {
    const addresses = resolve(host, namespace);
    if (addresses === undefined) throw unknownHost(host);
    for (const ip of addresses) {
      const found = target(ip, port, from);
      if (found) return open(found, ip, port, from);
    }
    throw refused(addresses[0] ?? host, port);
  }

  async function open(found: Target, ip: string, port: number, from: string): Promise<Duplex> {
    if (found.hostPort !== undefined) return track(await dialHost(found.hostPort, ip, port), found.pod);
    const [near, far] = createConnectionPair();
    const open = accepted.get(found.listener) ?? new Set();
    accepted.set(found.listener, open.add(far));
    far.once("close", () => open.delete(far));
    accept(found.listener, far, from);
    return track(near, found.pod);
  }

  function accept(listener: Listener, connection: Duplex, from: string): void {
    if (listener.accept) {
      listener.accept(connection, from);
      return;
    }
    if (!listener.http) {
      connection.on("end", () => connection.end()).resume();
      return;
    }
    let acceptor = acceptors.get(listener);
    if (acceptor === undefined) {
      acceptor = createHttpAcceptor(listener.http);
      acceptors.set(listener, acceptor);
    }
    acceptor(connection, from);
  }

  /**
   * Calls a simulated HTTP handler directly, without bytes and waiting. Sends anything else over a
   * connection.
   */
  async function request(
    host: string,
    port: number,
    options: OutgoingRequest,
    caller: Caller = {},
  ): Promise<SimulatedResponse> {
    const { namespace, from = "127.0.0.1" } = caller;
    const found = resolve(host, namespace)
      ?.map((ip) => target(ip, port, from))
      .find((one) => one !== undefined);
    const headers = { host: port === 80 ? host : `${host}:${port}`, ...options.headers };
    if (found?.listener?.http && !options.tls)
      return found.listener.http({
        method: options.method,
        path: options.path,
        headers,
        body: options.body,
        from,
      });
    return requestOver(await dial(host, port, caller), { ...options, headers });
  }

  return {
    attach(ip, hostname, namespace = "default") {
      const own: Ports = { listeners: new Map(), exposed: new Map(), open: new Set() };
      pods.set(ip, own);
      const inside = (host: string) => (LOOPBACK.has(host) || host === hostname ? ip : host);
      const caller = { namespace, from: ip };
      return {
        ip,
        listen(port, listener) {
          const { listeners, exposed } = own;
          if (listeners.has(port) || exposed.has(port))
            throw new Error(`Address already in use: port ${port}`);
          listeners.set(port, listener);
          return {
            close() {
              if (listeners.get(port) === listener) listeners.delete(port);
            },
            abort() {
              this.close();
              for (const connection of accepted.get(listener) ?? []) connection.destroy();
            },
          };
        },
        listens: (port) => onPod(own, port) !== undefined,
        expose: (port, hostPort) => expose(own, port, hostPort),
        resolve: (host) => resolve(inside(host), namespace),
        dial: (host, port) => dial(inside(host), port, caller),
        request: (host, port, options) =>
          request(inside(host), port, { ...options, headers: { host, ...options.headers } }, caller),
        detach() {
          if (pods.get(ip) === own) pods.delete(ip);
          for (const connection of own.open) connection.destroy();
        },
      };
    },
    dial,
    request,
    useServices(routes) {
      services = routes;
    },
  };
}

type Target = { pod?: Ports } & (
  | { listener: Listener; hostPort?: undefined }
  | { hostPort: number; listener?: undefined }
);

function expose(pod: Ports, port: number, hostPort: number): () => void {
  pod.exposed.set(port, hostPort);
  return () => {
    if (pod.exposed.get(port) === hostPort) pod.exposed.delete(port);
  };
}

function onPod(pod: Ports, port: number): Target | undefined {
  const listener = pod.listeners.get(port);
  if (listener) return { pod, listener };
  const hostPort = pod.exposed.get(port);
  return hostPort === undefined ? undefined : { pod, hostPort };
}

function isAddress(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

async function dialHost(hostPort: number, ip: string, port: number): Promise<Duplex> {
  const socket = connectTcp({ host: "127.0.0.1", port: hostPort, allowHalfOpen: true, noDelay: true });
  try {
    await once(socket, "connect");
  } catch {
    throw refused(ip, port);
  }
  return socket;
}

/** Ends the connection with its Pod. */
function track(connection: Duplex, pod: Ports | undefined): Duplex {
  // The connection breaks when the other side closes. The next read or write reports the error.
  connection.on("error", () => {});
  pod?.open.add(connection);
  connection.once("close", () => pod?.open.delete(connection));
  return connection;
}

/** Returns the namespace for one process. Its ports and their connections close when the process ends. */
export function listeningUntil(network: NetworkNamespace, ended: AbortSignal): NetworkNamespace {
  return {
    ...network,
    listen(port, listener) {
      const listening = network.listen(port, listener);
      ended.addEventListener("abort", () => listening.abort(), { once: true });
      return listening;
    },
  };
}
