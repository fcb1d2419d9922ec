import {
  createTransport,
  deployments,
  events,
  namespaces,
  services,
  type Transport,
} from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ovhNginxes } from "../nginx-operator/api/v1/zz_generated.resources.ts";
import { setupWithManager } from "../nginx-operator/controllers/ovhnginx.controller.ts";
import type { Zone } from "../nginx-operator/controllers/zone.ts";

// What the tutorial's operator has to withstand, and its own tests do not say.

let cluster: TestCluster;
let namespace: string;
/** Outside of the cluster, so it stays when the operator is started anew. */
let names: Map<string, string>;
let zone: Zone;
/** What the operator wrote: "POST deployments". */
let writes: string[];
let stopOperator: () => Promise<void>;

beforeAll(async () => {
  const crds = [new URL("../nginx-operator/config/crd/bases", import.meta.url).pathname];
  cluster = await startTestCluster({ crds, controllers: true });
});
afterAll(() => cluster?.stop());

beforeEach(async () => {
  namespace = await cluster.namespace();
  names = new Map();
  writes = [];
  zone = {
    set: async (name, address) => void names.set(name, address),
    remove: async (name) => void names.delete(name),
  };
  stopOperator = () => Promise.resolve();
});
afterEach(() => stopOperator());

async function startOperator(): Promise<void> {
  const real = createTransport(cluster.kubeConfig);
  const transport: Transport = {
    ...real,
    request(request) {
      const path = request.path.replace(/.*\/namespaces\/[^/]+\//, "");
      if (request.method !== "GET" && !path.startsWith("events")) writes.push(`${request.method} ${path}`);
      return real.request(request);
    },
  };
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(ovhNginxes),
    cache: { namespaces: [namespace] },
    logger: createLogger({ level: "silent" }),
    transport,
  });
  setupWithManager(manager, zone);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await Promise.race([manager.elected, running]);
  stopOperator = async () => {
    stop.abort();
    await running;
  };
}

const objects = () => cluster.client.resource(ovhNginxes).namespace(namespace);
const deploymentsHere = () => cluster.client.resource(deployments).namespace(namespace);
const servicesHere = () => cluster.client.resource(services).namespace(namespace);
const create = (name: string, replicaCount: number, port = 8080) =>
  objects().create({ metadata: { name }, spec: { replicaCount, port } });
const soon = (look: () => Promise<void>) => eventually(look, { timeout: 60_000 });

/** As many Pods as that, an address, a name for it, and a status that says so. */
const settled = (name: string, replicas: number) =>
  soon(async () => {
    const { status, metadata } = await objects().get(name);
    expect(status?.readyReplicas).toBe(replicas);
    expect(status?.conditions).toMatchObject([
      { type: "Available", status: "True", observedGeneration: metadata?.generation },
    ]);
    expect(names.get(`${name}.${namespace}`)).toBe(status?.address ?? "an address");
  });
const gone = () =>
  soon(async () => {
    expect((await objects().list()).items).toEqual([]);
    expect((await deploymentsHere().list()).items).toEqual([]);
    expect((await servicesHere().list()).items).toEqual([]);
    expect([...names]).toEqual([]);
  });

test("what is as it should be is not written again", async () => {
  await startOperator();
  await create("one", 2);
  await settled("one", 2);
  await stopOperator();
  writes = [];
  await startOperator();
  await objects().patch("one", { metadata: { labels: { seen: "yes" } } }, { type: "merge" });
  await create("last", 1);
  await settled("last", 1);
  const others = writes.filter((write) => !write.startsWith("PUT ovhnginxes/last"));
  expect(others).toEqual(["POST deployments", "POST services"]);
});

test("a version that cannot be an image's tag is rejected", async () => {
  const createVersion = (version: string) =>
    objects().create({ metadata: { generateName: "a-" }, spec: { replicaCount: 0, port: 8080, version } });
  for (const version of ["", "1.29 alpine", "-alpine", "1.29@sha256:0", "a".repeat(129)])
    await expect(createVersion(version)).rejects.toThrow("spec.version");
  for (const version of ["1.28-alpine", "_", "a".repeat(128)]) await createVersion(version);
});

test("what happened while it was away is caught up on", async () => {
  await startOperator();
  await Promise.all([create("grown", 1), create("moved", 1), create("deleted", 1)]);
  await Promise.all([settled("grown", 1), settled("moved", 1), settled("deleted", 1)]);
  const before = await servicesHere().get("moved");
  await stopOperator();
  await objects().patch("grown", { spec: { replicaCount: 2 } }, { type: "merge" });
  await objects().patch("moved", { spec: { port: 9090 } }, { type: "merge" });
  await objects().delete("deleted");
  // It waits for its operator.
  expect((await objects().get("deleted")).metadata?.deletionTimestamp).toBeDefined();
  await startOperator();
  await Promise.all([settled("grown", 2), settled("moved", 1)]);
  await soon(async () => {
    const { spec } = await servicesHere().get("moved");
    expect(spec?.ports).toMatchObject([{ port: 9090, nodePort: before.spec?.ports?.[0]?.nodePort }]);
    expect(spec?.clusterIP).toBe(before.spec?.clusterIP);
  });
  await soon(async () => {
    expect((await objects().list()).items.map(({ metadata }) => metadata?.name).sort()).toEqual([
      "grown",
      "moved",
    ]);
    expect([...names.keys()].sort()).toEqual([`grown.${namespace}`, `moved.${namespace}`]);
  });
});

test("a provider that fails keeps the object until its name is gone", async () => {
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
  const { remove } = zone;
  let refused = 0;
  zone.remove = async (name) => {
    if (refused++ < 3) throw new Error("the provider is down");
    expect((await objects().get("one")).metadata?.finalizers).toEqual(["tutorials.ovhcloud.com/name"]);
    await remove(name);
  };
  await objects().delete("one");
  await gone();
  expect(refused).toBeGreaterThan(3);
});

test("what others delete or change of it comes back; a foreground deletion ends", async () => {
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
  const { metadata } = await servicesHere().get("one");
  await servicesHere().delete("one");
  await soon(async () => expect((await servicesHere().get("one")).metadata?.uid).not.toBe(metadata?.uid));
  await servicesHere().patch("one", { spec: { type: "ClusterIP" } }, { type: "merge" });
  await soon(async () => expect((await servicesHere().get("one")).spec?.type).toBe("LoadBalancer"));
  await deploymentsHere().patch("one", { spec: { replicas: 0 } }, { type: "merge" });
  await soon(async () => expect((await deploymentsHere().get("one")).spec?.replicas).toBe(1));
  await settled("one", 1);
  await objects().delete("one", { propagationPolicy: "Foreground" });
  await gone();
});

test("a Service of another owner is left alone, and replaced when it is deleted", async () => {
  await servicesHere().create({ metadata: { name: "one" }, spec: { ports: [{ port: 1234 }] } });
  await startOperator();
  await create("one", 1);
  await create("other", 1);
  await settled("other", 1);
  expect((await servicesHere().get("one")).spec?.ports).toMatchObject([{ port: 1234 }]);
  await servicesHere().delete("one");
  await settled("one", 1);
  const { metadata } = await servicesHere().get("one");
  expect(metadata?.ownerReferences).toMatchObject([{ kind: "OvhNginx", name: "one", controller: true }]);
});

test("a rollout waits for a Pod that does not serve the page", async () => {
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
  // Runs, but does not listen.
  const spec = { containers: [{ name: "nginx", command: ["sleep", "1000"] }] };
  await deploymentsHere().patch("one", { spec: { template: { spec } } }, { type: "strategic" });
  await soon(async () => {
    const { items } = await cluster.client.resource(events).namespace(namespace).list();
    const messages = items.filter(({ reason }) => reason === "Unhealthy").map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining("Readiness probe failed"));
  });
  // The first Pod may have failed its probe too, while it started.
  await soon(async () => {
    const { status } = await deploymentsHere().get("one");
    expect(status).toMatchObject({ updatedReplicas: 1, unavailableReplicas: 1, readyReplicas: 1 });
  });
});

test("its Pods are admitted where the Pod standard `restricted` is enforced", async () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await cluster.client.resource(namespaces).patch(namespace, { metadata: { labels } }, { type: "merge" });
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
});

test.each([
  ["a port of 0", { replicaCount: 1, port: 0 }, "spec.port in body should be greater than or equal to 1"],
  ["a port beyond 65535", { replicaCount: 1, port: 65_536 }, "should be less than or equal to 65535"],
  ["-1 replicas", { replicaCount: -1, port: 80 }, "should be greater than or equal to 0"],
  ["no port", { replicaCount: 1 }, "spec.port: Required value"],
])("%s is refused before it is stored", async (_, spec, message) => {
  const refused = objects().create({
    metadata: { name: "wrong" },
    spec: spec as { replicaCount: number; port: number },
  });
  await expect(refused).rejects.toThrow(message);
});
