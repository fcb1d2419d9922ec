import {
  ApiError,
  apiVersionOf,
  type Clock,
  type CustomResourceDefinition,
  createClientOn,
  createTransport,
  defineResource,
  type KubeObject,
  type Resource,
  type TransportRequest,
} from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { type Client, createObjectClient, type Logger, type Reader } from "@operator-path/controller-runtime";
import { findControlPlane } from "@operator-path/tools";
import { createResourceMapper } from "../../resources/resource-mapper.ts";
import { createDrift, type Drift } from "../create-drift.ts";
import { parseManifest } from "../parse-manifest.ts";
import type { Repair } from "../repair.ts";

export const memcacheds = defineResource({
  ...{ group: "cache.example.com", version: "v1", kind: "Memcached", plural: "memcacheds", namespaced: true },
});

/** A CRD whose objects keep every field. */
export function definitionOf({ group, version, kind, plural, namespaced }: Resource, spec: object = {}) {
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true, ...spec };
  const openAPIV3Schema = { type: "object", properties: { spec: anything } };
  return {
    ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: namespaced ? "Namespaced" : "Cluster", names: { kind, plural } },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as CustomResourceDefinition;
}

/** A release in its own namespace, on a cluster that the tests of a file share. */
export interface DriftBench {
  readonly namespace: string;
  readonly owner: KubeObject;
  readonly drift: Drift;
  /** Returns another Drift with an empty memory, as after a restart. */
  restarted(reader?: Reader, clock?: Pick<Clock, "steady">, log?: Pick<Logger, "warn">): Drift;
  /** Another writer, whose requests are not recorded. */
  readonly client: Client;
  readonly mapper: ReturnType<typeof createResourceMapper>;
  /** Repairs the objects in the YAML. */
  repair(manifest: string, previous?: string, by?: Drift): Promise<Repair[]>;
  /** Creates a HorizontalPodAutoscaler that is not the chart's. */
  autoscale(object: KubeObject & { spec: object }): Promise<void>;
  /** Forbids requests to paths with these words in them, as a missing rule would; undefined: none. */
  forbid(path: string | undefined): void;
  /** "PATCH /apis/apps/v1/…": all requests since the last call. */
  requests(): string[];
  /** Those of them that write. */
  writes(): string[];
}

/**
 * Where tests run that hold for any API server: ordinary ones on ours, slow ones on a real one if this
 * machine has one. A test on ours alone would prove little.
 */
export async function providerOfTests(): Promise<"embedded" | "envtest"> {
  const [embedded, real = embedded] = await providersHere();
  return process.env.SLOW ? real : embedded;
}

/** Our API server, and a real one if this machine has one. */
export async function providersHere(): Promise<["embedded", ..."envtest"[]]> {
  const isHere = await findControlPlane({ mayBuild: false }).then(
    () => true,
    () => false,
  );
  return isHere ? ["embedded", "envtest"] : ["embedded"];
}

export async function startDriftCluster(
  provider: "embedded" | "envtest" = "embedded",
  crds: readonly CustomResourceDefinition[] = [],
) {
  const cluster = await startTestCluster({ provider, crds: [definitionOf(memcacheds), ...crds] });
  const transport = createTransport(cluster.kubeConfig);
  const recorded: string[] = [];
  let forbidden: string | undefined;
  const record = ({ method, path }: TransportRequest) => recorded.push(`${method} ${path}`);
  const connection = createClientOn({
    ...transport,
    request: (request) => {
      record(request);
      if (forbidden !== undefined && request.path.includes(forbidden)) {
        throw new ApiError({ code: 403, reason: "Forbidden", message: `${forbidden} is forbidden` });
      }
      return transport.request(request);
    },
    stream: (request) => {
      record(request);
      return transport.stream(request);
    },
  });

  const mapper = createResourceMapper(connection);
  const othersMapper = createResourceMapper(cluster.client);
  const scheme = { scheme: mapper.scheme };
  const options = { client: createObjectClient(connection, scheme), connection, mapper };

  async function bench(): Promise<DriftBench> {
    const namespace = await cluster.namespace();
    await Promise.all([mapper, othersMapper].map(async (each) => each.resourceFor(typeOf(memcacheds))));
    const client = createObjectClient(cluster.client, { scheme: othersMapper.scheme });
    const owner = await client.create({
      ...typeOf(memcacheds),
      metadata: { namespace, name: "cache" },
    } as KubeObject);
    const drift = createDrift(options);
    const take = () => recorded.splice(0);
    take();
    return {
      ...{ namespace, owner, drift, client, mapper: othersMapper },
      restarted: (reader, clock, log) =>
        createDrift({ ...options, ...(reader && { reader }), ...(clock && { clock }), ...(log && { log }) }),
      repair: (manifest, previous, by = drift) =>
        by.repair({
          ...{ objects: parseManifest(manifest), owner, release: { name: "cache", namespace } },
          ...(previous === undefined ? {} : { previous: parseManifest(previous) }),
        }),
      async autoscale(object) {
        await client.create({ ...object, metadata: { ...object.metadata, namespace } });
      },
      forbid(path) {
        forbidden = path;
      },
      requests: take,
      writes: () => take().filter((line) => !line.startsWith("GET ")),
    };
  }

  return {
    ...{ cluster, connection, bench },
    async stop() {
      await transport.close();
      await cluster.stop();
    },
  };
}

export function typeOf(resource: Resource): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}
