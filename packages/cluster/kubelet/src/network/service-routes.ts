import { createHash } from "node:crypto";
import {
  type Client,
  type Clock,
  defineResource,
  type EndpointSlice,
  type Service,
  services,
} from "@operator-path/client";
import { createSharedInformer, unwrapTombstone } from "@operator-path/informers";
import type { ServiceRoutes } from "./pod-network.ts";

const endpointSlices = defineResource<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

/** The address of an endpoint: a Pod's, or 127.0.0.1 with a port of the host. */
interface Endpoint {
  ip: string;
  port: number;
}

export interface ServiceTable extends ServiceRoutes {
  /** Returns every known Service. */
  list(): readonly Service[];
  /** @param key `namespace/name` */
  get(key: string): Service | undefined;
  /**
   * Calls back when a Service or its endpoints have changed.
   * @returns stops the calls
   */
  onChange(listener: (service: Service, deleted: boolean) => void): () => void;
  /**
   * Returns an endpoint of a Service's port.
   * @param port its number or name
   * @throws Error with the message of a real API server
   */
  endpoint(namespace: string, name: string, port: number | string, from?: string): Endpoint;
  readonly done: Promise<void>;
}

export interface ServiceTableOptions {
  client: Client;
  /** The API server's port on 127.0.0.1, to which default/kubernetes leads. */
  apiServerPort?: number;
  clock?: Clock;
  /** Returns 0 ≤ n < 1, to choose one of several endpoints. Default Math.random. */
  random?: () => number;
  log?: (message: string) => void;
  signal: AbortSignal;
}

/**
 * Watches Services and EndpointSlices, and answers what kube-proxy and the cluster's DNS would. Resolves when
 * both are listed.
 *
 * Only ready endpoints take connections, or the terminating ones if no endpoint is ready. Session affinity is
 * by client address. Names resolve as with a Pod's resolv.conf, including headless Services and the names of
 * their Pods.
 *
 * Does not support UDP, affinity timeouts, topology and traffic policies. An external name must be a name of
 * this cluster.
 */
export async function startServiceTable(options: ServiceTableOptions): Promise<ServiceTable> {
  const { client, clock, log, random = Math.random, signal } = options;
  const known = new Map<string, Service>();
  const slices = new Map<string, Map<string, EndpointSlice>>();
  const listeners = new Set<(service: Service, deleted: boolean) => void>();
  const keyOf = (namespace: string | undefined, name: string | undefined) => `${namespace}/${name}`;
  const notify = (service: Service | undefined, deleted: boolean) => {
    if (service) for (const listener of listeners) listener(service, deleted);
  };

  const serviceInformer = createSharedInformer(client, services, { clock, log });
  const storeService = (service: Service) => {
    known.set(keyOf(service.metadata?.namespace, service.metadata?.name), service);
    notify(service, false);
  };
  serviceInformer.addEventHandler({
    added: storeService,
    updated: (_old, service) => storeService(service),
    deleted(last) {
      const service = unwrapTombstone(last);
      known.delete(keyOf(service?.metadata?.namespace, service?.metadata?.name));
      notify(service, true);
    },
  });

  const sliceInformer = createSharedInformer(client, endpointSlices, { clock, log });
  const ownerOf = (slice: EndpointSlice | undefined) =>
    keyOf(slice?.metadata?.namespace, slice?.metadata?.labels?.["kubernetes.io/service-name"]);
  const storeSlice = (slice: EndpointSlice) => {
    const owner = ownerOf(slice);
    const all = slices.get(owner) ?? new Map<string, EndpointSlice>();
    slices.set(owner, all.set(slice.metadata?.name ?? "", slice));
    notify(known.get(owner), false);
  };
  const dropSlice = (slice: EndpointSlice | undefined) => {
    const owner = ownerOf(slice);
    const all = slices.get(owner);
    all?.delete(slice?.metadata?.name ?? "");
    if (all?.size === 0) slices.delete(owner);
    notify(known.get(owner), false);
  };
  sliceInformer.addEventHandler({
    added: storeSlice,
    updated(old, slice) {
      if (ownerOf(old) !== ownerOf(slice)) dropSlice(old);
      storeSlice(slice);
    },
    deleted: (last) => dropSlice(unwrapTombstone(last)),
  });

  const done = Promise.all([serviceInformer.run(signal), sliceInformer.run(signal)]).then(() => {});
  await Promise.all([serviceInformer.waitForSync(signal), sliceInformer.waitForSync(signal)]);

  const slicesOf = (service: Service) => [
    ...(slices.get(keyOf(service.metadata?.namespace, service.metadata?.name))?.values() ?? []),
  ];

  function pick(service: Service, port: Port, from: string): Endpoint | undefined {
    if (isApiServer(service))
      return options.apiServerPort === undefined
        ? undefined
        : { ip: "127.0.0.1", port: options.apiServerPort };
    const all = slicesOf(service).flatMap((slice) => {
      // A slice has the Service's port names, and the Pod's port numbers.
      const number = slice.ports?.find(({ name }) => (name ?? "") === (port.name ?? ""))?.port;
      if (number === undefined) return [];
      return (slice.endpoints ?? []).map((endpoint) => ({ endpoint, number }));
    });
    const ready = all.filter(({ endpoint }) => endpoint.conditions?.ready !== false);
    const ending = all.filter(
      ({ endpoint: { conditions } }) => conditions?.serving && conditions.terminating,
    );
    const usable = (ready.length > 0 ? ready : ending).flatMap(({ endpoint, number }) =>
      endpoint.addresses.slice(0, 1).map((ip) => ({ ip, port: number })),
    );
    if (service.spec?.sessionAffinity === "ClientIP") return pickByHash(usable, from);
    return usable[Math.floor(random() * usable.length)];
  }

  function addressesOf(
    { service: name, namespace, hostname }: ServiceName,
    depth: number,
  ): readonly string[] | undefined {
    const service = known.get(keyOf(namespace, name));
    const { type, clusterIP, externalName, publishNotReadyAddresses } = service?.spec ?? {};
    if (service === undefined) return undefined;
    if (type === "ExternalName") {
      if (hostname !== undefined || externalName === undefined || depth > 8) return undefined;
      return lookUp(`${externalName.replace(/\.$/, "")}.`, namespace, depth + 1);
    }
    if (clusterIP !== "None" && hostname === undefined) return clusterIP ? [clusterIP] : undefined;
    const addresses = slicesOf(service)
      .flatMap((slice) => slice.endpoints ?? [])
      .filter(({ conditions }) => publishNotReadyAddresses || conditions?.ready !== false)
      .filter((endpoint) => hostname === undefined || endpoint.hostname === hostname)
      .flatMap((endpoint) => endpoint.addresses);
    return addresses.length > 0 ? [...new Set(addresses)] : undefined;
  }

  function lookUp(name: string, namespace: string, depth = 0): readonly string[] | undefined {
    for (const candidate of candidateNames(name, namespace)) {
      const addresses = addressesOf(candidate, depth);
      if (addresses !== undefined) return addresses;
    }
    return undefined;
  }

  return {
    list: () => [...known.values()],
    get: (key) => known.get(key),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    resolve: (name, namespace) => lookUp(name, namespace),
    route(ip, port, from) {
      for (const service of known.values()) {
        if (!virtualAddresses(service).includes(ip)) continue;
        const wanted = service.spec?.ports?.find(
          (one) => one.port === port && (one.protocol ?? "TCP") === "TCP",
        );
        return (wanted && pick(service, wanted, from)) ?? "refused";
      }
      return undefined;
    },
    endpoint(namespace, name, port, from = "127.0.0.1") {
      const service = known.get(keyOf(namespace, name));
      if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
      const wanted = service.spec?.ports?.find((one) => one.port === Number(port) || one.name === port);
      if (wanted === undefined)
        throw new Error(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`);
      const endpoint = pick(service, wanted, from);
      if (endpoint === undefined)
        throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
      return endpoint;
    },
    done,
  };
}

type Port = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

function isApiServer({ metadata }: Service): boolean {
  return metadata?.namespace === "default" && metadata.name === "kubernetes";
}

/** Returns the virtual addresses of a Service. */
function virtualAddresses({ spec, status }: Service): string[] {
  const cluster = spec?.clusterIP && spec.clusterIP !== "None" ? [spec.clusterIP] : [];
  const balancer = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
  return [...cluster, ...(spec?.externalIPs ?? []), ...balancer];
}

/**
 * Returns the same endpoint for the same client while that endpoint exists. Removing another endpoint does
 * not change the choice.
 */
function pickByHash(endpoints: Endpoint[], from: string): Endpoint | undefined {
  const weight = ({ ip, port }: Endpoint) =>
    createHash("sha256").update(`${from} ${ip}:${port}`).digest("hex");
  return endpoints.toSorted((a, b) => (weight(a) < weight(b) ? 1 : -1))[0];
}

const zone = "svc.cluster.local";

/** The Service that a DNS name denotes, and the Pod of a headless Service. */
export interface ServiceName {
  service: string;
  namespace: string;
  /** `web-0` of `web-0.web.default.svc.cluster.local`. */
  hostname?: string;
}

/**
 * Returns the Services that a name may denote in a Pod of the namespace, best first: with the search domains
 * of the Pod's resolv.conf (`ndots:5`), then as it is.
 */
export function candidateNames(name: string, namespace: string): ServiceName[] {
  const absolute = name.endsWith(".");
  const plain = (absolute ? name.slice(0, -1) : name).toLowerCase();
  if (plain === "") return [];
  const search = [`${namespace}.${zone}`, zone, "cluster.local"];
  const full = absolute ? [plain] : [...search.map((suffix) => `${plain}.${suffix}`), plain];
  return full.map(parse).filter((parsed) => parsed !== undefined);
}

function parse(full: string): ServiceName | undefined {
  if (!full.endsWith(`.${zone}`)) return undefined;
  const [first = "", second = "", third, ...beyond] = full.slice(0, -zone.length - 1).split(".");
  if (first === "" || second === "" || beyond.length > 0) return undefined;
  if (third === undefined) return { service: first, namespace: second };
  return { hostname: first, service: second, namespace: third };
}
