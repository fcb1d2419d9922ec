import { type EndpointSlice, pods, type Service, services } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpointSlices, endpoints } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";

let cluster: TestCluster;
let kubelet: FakeKubelet;
/** Names of Pods that do not become ready, and of Pods that do not terminate. */
const unready = new Set<string>();
const lingering = new Set<string>();

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
  kubelet = await cluster.startKubelet({
    becomesReady: ({ metadata }) => !unready.has(metadata?.name ?? ""),
    terminates: ({ metadata }) => !lingering.has(metadata?.name ?? ""),
  });
});
afterAll(() => cluster.stop());

async function scene(spec: Service["spec"] = {}) {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const allServices = cluster.client.resource(services).namespace(namespace);
  await allServices.create({
    metadata: { name: "web", namespace, labels: { tier: "front" } },
    spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }], ...spec },
  });
  const slices = async () =>
    (await cluster.client.resource(endpointSlices).namespace(namespace).list()).items;
  return {
    namespace,
    pods: inNamespace,
    services: allServices,
    slices,
    async pod(name: string, containerPort = 8080, more: object = {}) {
      await expect
        .poll(
          () =>
            inNamespace
              .create({
                metadata: { name, namespace, labels: { app: "web" } },
                spec: {
                  containers: [{ name: "c", image: "c", ports: [{ name: "http", containerPort }] }],
                  ...more,
                },
              })
              .then(() => "created", String),
          within,
        )
        .toBe("created");
    },
    endpoints: async () => {
      const object = await cluster.client
        .resource(endpoints)
        .namespace(namespace)
        .get("web")
        .catch(() => undefined);
      return object?.subsets?.map((subset) => ({
        ready: subset.addresses?.map(({ targetRef }) => targetRef?.name).sort() ?? [],
        notReady: subset.notReadyAddresses?.map(({ targetRef }) => targetRef?.name).sort() ?? [],
        ports: subset.ports?.map(({ port }) => port),
      }));
    },
    shown: async () => (await slices()).map(show).sort((a, b) => a.port - b.port),
  };
}

function show({ endpoints, ports }: EndpointSlice) {
  const pods = (endpoints ?? []).map(
    ({ targetRef, conditions }) =>
      `${targetRef?.name}:${["ready", "serving", "terminating"].filter((key) => conditions?.[key as "ready"]).join("+")}`,
  );
  return { port: ports?.[0]?.port ?? 0, pods: pods.sort() };
}

test("a Service's Pods are its endpoints, with the details that kube-proxy needs", async () => {
  const web = await scene();
  await expect.poll(web.shown, within).toEqual([{ port: 0, pods: [] }]);
  await web.pod("a");
  await expect.poll(web.shown, within).toEqual([{ port: 8080, pods: ["a:ready+serving"] }]);
  const [slice] = await web.slices();
  const pod = await web.pods.get("a");
  expect(slice).toMatchObject({
    addressType: "IPv4",
    metadata: {
      name: expect.stringMatching(/^web-[a-z0-9]{5}$/),
      generateName: "web-",
      annotations: { "endpoints.kubernetes.io/last-change-trigger-time": expect.stringMatching(/Z$/) },
      labels: {
        tier: "front",
        "kubernetes.io/service-name": "web",
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
      },
      ownerReferences: [{ kind: "Service", name: "web", controller: true, blockOwnerDeletion: true }],
    },
    ports: [{ name: "", port: 8080, protocol: "TCP" }],
  });
  expect(slice?.endpoints).toEqual([
    {
      addresses: [pod.status?.podIP],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "node-1",
      targetRef: { kind: "Pod", namespace: web.namespace, name: "a", uid: pod.metadata?.uid },
    },
  ]);
  await expect.poll(web.endpoints, within).toEqual([{ ready: ["a"], notReady: [], ports: [8080] }]);
});

test("Pods with another number for a named port are in separate slices", async () => {
  const web = await scene();
  await web.pod("a", 8080);
  await web.pod("b", 8081);
  await web.pod("c", 8080);
  await expect.poll(web.shown, within).toEqual([
    { port: 8080, pods: ["a:ready+serving", "c:ready+serving"] },
    { port: 8081, pods: ["b:ready+serving"] },
  ]);
  await expect.poll(web.endpoints, within).toEqual([
    { ready: ["a", "c"], notReady: [], ports: [8080] },
    { ready: ["b"], notReady: [], ports: [8081] },
  ]);
  await web.pods.delete("b");
  await expect
    .poll(web.shown, within)
    .toEqual([{ port: 8080, pods: ["a:ready+serving", "c:ready+serving"] }]);
});

test("a terminating Pod is serving but not ready, and missing from Endpoints", async () => {
  const web = await scene();
  await web.pod("ending", 8080, { terminationGracePeriodSeconds: 60 });
  await web.pod("staying");
  await expect.poll(async () => (await web.shown())[0]?.pods.length, within).toBe(2);
  lingering.add("ending");
  await web.pods.delete("ending");
  await expect
    .poll(web.shown, within)
    .toEqual([{ port: 8080, pods: ["ending:serving+terminating", "staying:ready+serving"] }]);
  await expect.poll(web.endpoints, within).toEqual([{ ready: ["staying"], notReady: [], ports: [8080] }]);
  lingering.delete("ending");
  await kubelet.resync();
  await expect.poll(web.shown, within).toEqual([{ port: 8080, pods: ["staying:ready+serving"] }]);
});

test("a headless Service without ports has hostnames of Pods, and publishes unready addresses on request", async () => {
  const web = await scene({ clusterIP: "None", ports: undefined, publishNotReadyAddresses: true });
  await web.pod("a", 8080, { hostname: "first", subdomain: "web" });
  await expect.poll(async () => (await web.slices())[0]?.endpoints?.[0]?.hostname, within).toBe("first");
  const [slice] = await web.slices();
  expect(slice?.ports ?? null).toBeNull();
  expect(slice?.metadata?.labels).toHaveProperty(["service.kubernetes.io/headless"], "");
  await web.pods.patch(
    "a",
    { status: { conditions: [{ type: "Ready", status: "False" }] } },
    { type: "strategic", subresource: "status" },
  );
  await expect.poll(web.shown, within).toEqual([{ port: 0, pods: ["a:ready"] }]);
});

test("labels follow the Service, a deleted slice is restored, and foreign slices are left alone", async () => {
  const web = await scene();
  await web.pod("a");
  await expect.poll(web.shown, within).toEqual([{ port: 8080, pods: ["a:ready+serving"] }]);
  await web.services.patch("web", { metadata: { labels: { tier: "back" } } }, { type: "merge" });
  await expect.poll(async () => (await web.slices())[0]?.metadata?.labels?.tier, within).toBe("back");

  const all = cluster.client.resource(endpointSlices).namespace(web.namespace);
  await all.create({
    metadata: { name: "foreign", namespace: web.namespace, labels: { "kubernetes.io/service-name": "web" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.7"] }],
  });
  const [own] = (await web.slices()).filter(({ metadata }) => metadata?.name !== "foreign");
  await all.delete(own?.metadata?.name ?? "");
  await expect
    .poll(
      async () => (await web.slices()).map(({ metadata }) => metadata?.uid === own?.metadata?.uid),
      within,
    )
    .toEqual([false, false]);
  expect(await all.get("foreign")).toMatchObject({ endpoints: [{ addresses: ["192.0.2.7"] }] });
});

test("a Service's slices and Endpoints are deleted with it", async () => {
  const web = await scene();
  await web.pod("a");
  await expect.poll(web.endpoints, within).toHaveLength(1);
  await web.services.delete("web");
  await expect.poll(web.slices, within).toEqual([]);
  await expect.poll(web.endpoints, within).toBeUndefined();
});
