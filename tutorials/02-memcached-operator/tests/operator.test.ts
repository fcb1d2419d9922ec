import {
  ApiError,
  createTransport,
  deployments,
  namespaces,
  pods,
  type Transport,
  type TransportRequest,
} from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { setupWithManager } from "../memcached-operator/controllers/memcached.controller.ts";

// Situations that the operator must handle, and that the project's own tests do not contain.

let cluster: TestCluster;
let namespace: string;
let stopOperator: () => Promise<void>;
/** The operator's writes: "POST deployments". */
let writes: string[];
/** Runs between the operator and the server. It may throw before or after the request. */
let intercept: (request: TransportRequest, send: Transport["request"]) => ReturnType<Transport["request"]>;

beforeAll(async () => {
  const crds = [new URL("../memcached-operator/config/crd/bases", import.meta.url).pathname];
  cluster = await startTestCluster({ crds, controllers: true });
});
afterAll(() => cluster?.stop());

beforeEach(async () => {
  namespace = await cluster.namespace();
  writes = [];
  intercept = (request, send) => send(request);
  stopOperator = () => Promise.resolve();
});
afterEach(() => stopOperator());

async function startOperator(): Promise<void> {
  const real = createTransport(cluster.kubeConfig);
  const transport: Transport = {
    ...real,
    async request(request) {
      if (request.method !== "GET") {
        writes.push(`${request.method} ${request.path.replace(/.*\/namespaces\/[^/]+\//, "")}`);
      }
      return intercept(request, real.request);
    },
  };
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(memcacheds),
    cache: { namespaces: [namespace] },
    logger: createLogger({ level: "silent" }),
    transport,
  });
  setupWithManager(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await Promise.race([manager.elected, running]);
  stopOperator = async () => {
    stop.abort();
    await running;
  };
}

const objects = () => cluster.client.resource(memcacheds).namespace(namespace);
const deploymentsHere = () => cluster.client.resource(deployments).namespace(namespace);
const create = (name: string, size: number) => objects().create({ metadata: { name }, spec: { size } });

async function podsOf(name: string): Promise<string[]> {
  const { items } = await cluster.client
    .resource(pods)
    .namespace(namespace)
    .list({ labelSelector: `memcached_cr=${name}` });
  return items.map(({ metadata }) => metadata?.name ?? "").sort();
}

const soon = (look: () => Promise<void>) => eventually(look, { timeout: 60_000 });

/** Waits for this number of Pods, and for a status that lists them. */
const settled = (name: string, size: number) =>
  soon(async () => {
    const names = await podsOf(name);
    expect(names).toHaveLength(size);
    expect((await objects().get(name)).status?.nodes).toEqual(names);
  });

const isPut = ({ method, path }: TransportRequest, of: string) =>
  method === "PUT" && path.includes(`/${of}/`) && !path.endsWith("/status");

test("two Memcacheds do not disturb each other, and nothing is written twice", async () => {
  await startOperator();
  await create("one", 2);
  await create("other", 1);
  await Promise.all([settled("one", 2), settled("other", 1)]);
  await stopOperator();
  writes = [];
  await startOperator();
  await objects().patch("one", { metadata: { labels: { seen: "yes" } } }, { type: "merge" });
  await create("last", 0);
  await settled("last", 0);
  expect(writes).toEqual(["POST deployments", "PUT memcacheds/last/status"]);
});

test("changes during the operator's absence are handled when it returns", async () => {
  await startOperator();
  await create("grown", 1);
  await create("tampered", 2);
  await create("deleted", 1);
  await Promise.all([settled("grown", 1), settled("tampered", 2), settled("deleted", 1)]);
  await stopOperator();
  await objects().patch("grown", { spec: { size: 3 } }, { type: "merge" });
  const nodeSelector = { "kubernetes.io/os": "linux" };
  const tampering = { replicas: 0, template: { spec: { nodeSelector } } };
  await deploymentsHere().patch("tampered", { spec: tampering }, { type: "merge" });
  await objects().patch("tampered", { status: { nodes: [] } }, { type: "merge", subresource: "status" });
  await objects().delete("deleted");
  await startOperator();
  await Promise.all([settled("grown", 3), settled("tampered", 2)]);
  // The operator only changes the size.
  expect((await deploymentsHere().get("tampered")).spec?.template.spec).toMatchObject({ nodeSelector });
  await soon(async () => expect(await podsOf("deleted")).toEqual([]));
});

test("a conflict is retried, and a Deployment whose creation got no answer is not created twice", async () => {
  let [conflicts, lost] = [0, 0];
  intercept = async (request, send) => {
    if (isPut(request, "deployments") && conflicts < 2) {
      conflicts++;
      throw new ApiError({ code: 409, reason: "Conflict", message: "the object has been modified" });
    }
    const answer = await send(request);
    if (request.method === "POST" && lost < 1) {
      lost++;
      throw new Error("socket hang up");
    }
    return answer;
  };
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
  await objects().patch("one", { spec: { size: 2 } }, { type: "merge" });
  await settled("one", 2);
  expect({ conflicts, lost }).toEqual({ conflicts: 2, lost: 1 });
  expect((await deploymentsHere().list()).items).toHaveLength(1);
});

test("a foreign Deployment of the same name stays, and once it is deleted the operator creates its own", async () => {
  const template = {
    metadata: { labels: { app: "other" } },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  };
  const spec = { replicas: 1, selector: { matchLabels: { app: "other" } }, template };
  await deploymentsHere().create({ metadata: { name: "one" }, spec });
  await startOperator();
  await create("one", 2);
  await create("other", 1);
  await settled("other", 1);
  expect((await deploymentsHere().get("one")).spec?.replicas).toBe(1);
  await deploymentsHere().delete("one");
  await settled("one", 2);
});

test("a foreground deletion ends, and the next Memcached of that name gets its own Deployment", async () => {
  await startOperator();
  await create("one", 2);
  await settled("one", 2);
  await objects().delete("one", { propagationPolicy: "Foreground" });
  await soon(async () => {
    expect((await objects().list()).items).toEqual([]);
    expect((await deploymentsHere().list()).items).toEqual([]);
  });
  expect(writes.filter((write) => write.startsWith("POST"))).toEqual(["POST deployments"]);
  await create("one", 1);
  await settled("one", 1);
  await objects().delete("one");
  const { metadata } = await create("one", 3);
  await settled("one", 3);
  const [owner] = (await deploymentsHere().get("one")).metadata?.ownerReferences ?? [];
  expect(owner?.uid).toBe(metadata?.uid);
});

test("the Pods are admitted where the Pod Security standard `restricted` is enforced", async () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await cluster.client.resource(namespaces).patch(namespace, { metadata: { labels } }, { type: "merge" });
  await startOperator();
  await create("one", 1);
  await settled("one", 1);
});

test.each([
  ["-1", -1, "spec.size in body should be greater than or equal to 0"],
  ["more than 32 bits", 2 ** 31, "must be of type integer with format int32 in spec.size"],
  ["a fraction", 1.5, "spec.size in body must be of type int32"],
  ["a string", "3", "spec.size in body must be of type integer"],
  ["nothing", null, "spec.size: Required value"],
])("the server rejects a size that is %s", async (_, size, message) => {
  const refused = objects().create({ metadata: { name: "wrong" }, spec: { size: size as number } });
  await expect(refused).rejects.toThrow(message);
});
