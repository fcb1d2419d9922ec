import {
  type Client,
  type Clock,
  isConflict,
  isNotFound,
  type Service,
  services,
} from "@operator-path/client";
import { createEventRecorder, createWorkQueue, type Result, runWorkers } from "@operator-path/informers";
import { type HostPort, isLoopback, openHostPort } from "./host-port.ts";
import type { PodNetwork } from "./pod-network.ts";
import type { ServiceTable } from "./service-routes.ts";

export interface ServiceListenersOptions {
  client: Client;
  network: PodNetwork;
  table: ServiceTable;
  clock?: Clock;
  log?: (message: string) => void;
  signal: AbortSignal;
}

/**
 * The prefix of load balancers' addresses. The first is .1, unless another cluster of this machine uses it.
 */
const balancerPrefix = "127.20.0.";

/** The delay before another attempt to open a port, in ms. */
const retryAfter = 30_000;

interface Problem {
  wanted: WantedPort;
  code: string;
  message: string;
}

type Ingress = NonNullable<NonNullable<NonNullable<Service["status"]>["loadBalancer"]>["ingress"]>[number];

/** The sockets of one Service. */
interface ServiceSockets {
  address: string | undefined;
  ports: Map<string, HostPort>;
  /** Error codes of ports that could not be opened, by `host:port`. Each is reported in one Event. */
  failed: Map<string, string>;
}

/**
 * Makes Services reachable from this machine, and from nowhere else. Opens node ports on 127.0.0.1. Gives
 * each Service of type LoadBalancer an address 127.20.0.N with the Service's ports, and writes it to the
 * status.
 *
 * If an address or a port is not available (macOS has only 127.0.0.1, ports below 1024 may need root), the
 * status reports it in `ports[].error` and an Event names the node port, which still works.
 *
 * Does the work of a cloud provider's service controller and of kube-proxy. Resolves when the signal has
 * aborted and all sockets are closed.
 */
export async function runServiceListeners(options: ServiceListenersOptions): Promise<void> {
  const { client, network, table, clock, log = () => {}, signal } = options;
  const sockets = new Map<string, ServiceSockets>();
  const taken = new Map<string, string>();
  const recorder = createEventRecorder(client, { component: "service-controller", clock, log });
  const queue = createWorkQueue<string>({ clock });
  const keyOf = ({ metadata }: Service) => `${metadata?.namespace}/${metadata?.name}`;
  const stopListening = table.onChange((service) => queue.add(keyOf(service)));
  for (const service of table.list()) queue.add(keyOf(service));

  async function reconcile(key: string): Promise<Result | undefined> {
    await sync(key);
    return (sockets.get(key)?.failed.size ?? 0) > 0 ? { requeueAfter: retryAfter } : undefined;
  }

  async function sync(key: string): Promise<void> {
    const service = table.get(key);
    const before = sockets.get(key);
    if (service === undefined) {
      if (before) await release(key, before);
      return;
    }
    if (
      !before &&
      wantedNodePorts(service).length === 0 &&
      !wantsLoadBalancer(service) &&
      !hasIngress(service)
    )
      return;
    const state: ServiceSockets = before ?? { address: undefined, ports: new Map(), failed: new Map() };
    sockets.set(key, state);
    if (wantsLoadBalancer(service)) await syncLoadBalancer(key, service, state);
    else {
      if (state.address !== undefined) taken.delete(state.address);
      state.address = undefined;
      await openAndReport(service, state, wantedNodePorts(service));
      if (hasIngress(service) && service.spec?.loadBalancerClass === undefined)
        await writeIngress(service, undefined);
    }
  }

  async function syncLoadBalancer(key: string, service: Service, state: ServiceSockets): Promise<void> {
    if (state.address === undefined) {
      recorder.event(service, "Normal", "EnsuringLoadBalancer", "Ensuring load balancer");
      state.address = await findAddress(key, service, state);
    }
    const { address } = state;
    await openAndReport(service, state, wantedPorts(service, address));
    const isTaken = ({ host, port }: WantedPort) => state.failed.get(`${host}:${port}`) === "EADDRINUSE";
    if (wantedBalancerPorts(service, address).some(isTaken)) {
      // Another program listens there. An address would send the Service's clients to it.
      await writeIngress(service, undefined);
      return;
    }
    const ingress: Ingress = {
      ip: address,
      // The address is this machine's. Nodes do not answer it themselves.
      ipMode: "Proxy",
      ports: wantedBalancerPorts(service, address).map(({ port }) => ({
        port,
        protocol: "TCP",
        ...(state.failed.has(`${address}:${port}`) ? { error: "operator-path.dev/PortUnavailable" } : {}),
      })),
    };
    if (await writeIngress(service, ingress))
      recorder.event(service, "Normal", "EnsuredLoadBalancer", "Ensured load balancer");
  }

  const wantedPorts = (service: Service, address: string) => [
    ...wantedNodePorts(service),
    ...wantedBalancerPorts(service, address),
  ];

  /** Returns an address on which all ports are open. The fallback is 127.0.0.1, which every machine has. */
  async function findAddress(key: string, service: Service, state: ServiceSockets): Promise<string> {
    const requested = service.spec?.loadBalancerIP;
    if (requested !== undefined && isLoopback(requested)) return requested;
    for (let number = 1; number < 255; number++) {
      const host = `${balancerPrefix}${number}`;
      if (taken.has(host)) continue;
      const problems = await openAll(service, state, wantedPorts(service, host));
      const codes = new Set(problems.filter(({ wanted }) => wanted.host === host).map(({ code }) => code));
      if (codes.has("EADDRNOTAVAIL")) break;
      if (codes.has("EADDRINUSE")) continue;
      taken.set(host, key);
      return host;
    }
    return "127.0.0.1";
  }

  /**
   * Opens missing ports and closes unwanted ones.
   * @returns the ports that could not be opened
   */
  async function openAll(service: Service, state: ServiceSockets, ports: WantedPort[]): Promise<Problem[]> {
    const names = new Map(ports.map((port) => [`${port.host}:${port.port}:${port.servicePort}`, port]));
    for (const [name, open] of state.ports) {
      if (names.has(name)) continue;
      state.ports.delete(name);
      await open.close();
    }
    const problems: Problem[] = [];
    for (const [name, wanted] of names) {
      if (state.ports.has(name)) continue;
      const { host, port, servicePort } = wanted;
      try {
        const dial = (from: string) => dialService(keyOf(service), servicePort, from);
        state.ports.set(name, await openHostPort({ host, port, dial }));
      } catch (error) {
        const { code = "", message } = error as NodeJS.ErrnoException;
        problems.push({ wanted, code, message });
      }
    }
    return problems;
  }

  /** Calls openAll, and reports each new failure once. */
  async function openAndReport(service: Service, state: ServiceSockets, ports: WantedPort[]): Promise<void> {
    const before = state.failed;
    state.failed = new Map();
    for (const { wanted, code, message } of await openAll(service, state, ports)) {
      const where = `${wanted.host}:${wanted.port}`;
      state.failed.set(where, code);
      if (before.get(where) === code) continue;
      recorder.event(service, "Warning", "SyncLoadBalancerFailed", explain(service, wanted, code));
      log(`service ${keyOf(service)}: ${where}: ${message}`);
    }
  }

  async function dialService(key: string, port: number, from: string) {
    const [namespace = "", name = ""] = key.split("/");
    const { ip, port: target } = table.endpoint(namespace, name, port, from);
    return network.dial(ip, target, { from });
  }

  /**
   * Writes the load balancer's address to the status.
   * @returns whether the status changed
   */
  async function writeIngress(service: Service, ingress: Ingress | undefined): Promise<boolean> {
    const { namespace = "", name = "" } = service.metadata ?? {};
    const wanted = ingress === undefined ? [] : [ingress];
    if (JSON.stringify(service.status?.loadBalancer?.ingress ?? []) === JSON.stringify(wanted)) return false;
    const status = { loadBalancer: { ingress: ingress === undefined ? null : wanted } };
    try {
      await client
        .resource(services)
        .namespace(namespace)
        .patch(name, { status }, { type: "merge", subresource: "status" });
      return true;
    } catch (error) {
      // The Service is deleted, or a newer version of it is queued.
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }

  async function release(key: string, state: ServiceSockets): Promise<void> {
    sockets.delete(key);
    if (state.address !== undefined) taken.delete(state.address);
    await Promise.all([...state.ports.values()].map((port) => port.close()));
  }

  const onError = (error: unknown, key: string) =>
    log(`service ${key}: ${error instanceof Error ? error.message : String(error)}; trying again`);
  await runWorkers(queue, { process: reconcile, onError }, signal);
  stopListening();
  for (const [key, state] of sockets) await release(key, state);
  await recorder.flush();
}

function hasIngress(service: Service): boolean {
  return (service.status?.loadBalancer?.ingress ?? []).length > 0;
}

function explain({ spec }: Service, { host, port, servicePort }: WantedPort, code: string): string {
  const reason =
    code === "EACCES"
      ? "ports below 1024 need root on this machine"
      : code === "EADDRINUSE"
        ? "another program listens there"
        : code;
  const nodePort = spec?.ports?.find((one) => one.port === servicePort)?.nodePort;
  const alternative =
    nodePort === undefined || nodePort === port ? "kubectl port-forward" : `127.0.0.1:${nodePort}`;
  return `Cannot listen on ${host}:${port}: ${reason}. Use ${alternative} instead`;
}

/** A socket that a Service needs on this machine, and the Service's port behind it. */
interface WantedPort {
  host: string;
  port: number;
  /** Port of the Service. */
  servicePort: number;
}

/** Returns the node ports. The node's address is this machine's loopback address. */
function wantedNodePorts({ spec }: Service): WantedPort[] {
  if (spec?.type !== "NodePort" && spec?.type !== "LoadBalancer") return [];
  return tcpPorts(spec).flatMap(({ nodePort, port }) =>
    nodePort === undefined ? [] : [{ host: "127.0.0.1", port: nodePort, servicePort: port }],
  );
}

/** Returns the ports of a load balancer at its address. */
function wantedBalancerPorts({ spec }: Service, host: string): WantedPort[] {
  return tcpPorts(spec).map(({ port }) => ({ host, port, servicePort: port }));
}

/** Whether this load balancer serves the Service. */
function wantsLoadBalancer({ spec, metadata }: Service): boolean {
  return (
    spec?.type === "LoadBalancer" &&
    spec.loadBalancerClass === undefined &&
    metadata?.deletionTimestamp === undefined
  );
}

function tcpPorts(spec: Service["spec"]): { port: number; nodePort?: number }[] {
  return (spec?.ports ?? []).filter(({ protocol = "TCP" }) => protocol === "TCP");
}
