/** An HTTP request as a simulated process sees it. */
export interface SimulatedRequest {
  method: string;
  /** Path with query, such as `/healthz?verbose`. */
  path: string;
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

/** What listens on a port. Without `http` the port accepts TCP connections and says nothing. */
export interface Listener {
  http?(request: SimulatedRequest): SimulatedResponse | Promise<SimulatedResponse>;
}

/** The network namespace of one Pod: its containers share address and ports. */
export interface NetworkNamespace {
  readonly ip: string;
  /** @throws Error when the port is taken in this Pod; the message is what the C library says. */
  listen(port: number, listener: Listener): { close(): void };
  /** The listener on a host name or address as seen from inside: localhost, a Pod's IP. */
  connect(host: string, port: number): Listener | undefined;
  /** Whether the host name or address means anything here; a port need not be open. */
  knows(host: string): boolean;
  detach(): void;
}

/** The Pod network: one for all nodes of a cluster, so that Pods reach each other across nodes. Nothing in it touches the host's network. */
export interface PodNetwork {
  attach(ip: string, hostname?: string): NetworkNamespace;
  /** Listener at a Pod's address, as a kubelet's probe reaches it. */
  connect(ip: string, port: number): Listener | undefined;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0"]);

export function createPodNetwork(): PodNetwork {
  const namespaces = new Map<string, Map<number, Listener>>();
  return {
    attach(ip, hostname) {
      const ports = new Map<number, Listener>();
      namespaces.set(ip, ports);
      const own = (host: string) => LOOPBACK.has(host) || host === ip || host === hostname;
      return {
        ip,
        listen(port, listener) {
          if (ports.has(port)) throw new Error(`Address already in use: port ${port}`);
          ports.set(port, listener);
          return {
            close() {
              if (ports.get(port) === listener) ports.delete(port);
            },
          };
        },
        connect: (host, port) => (own(host) ? ports.get(port) : namespaces.get(host)?.get(port)),
        knows: (host) => own(host) || namespaces.has(host),
        detach() {
          if (namespaces.get(ip) === ports) namespaces.delete(ip);
        },
      };
    },
    connect: (ip, port) => namespaces.get(ip)?.get(port),
  };
}
