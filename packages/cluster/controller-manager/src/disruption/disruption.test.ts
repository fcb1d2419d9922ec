import {
  type Deployment,
  deployments,
  events,
  isTooManyRequests,
  type PodDisruptionBudget,
  pods,
  serviceAccounts,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { podDisruptionBudgets } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
const clock = createFakeClock(Date.now());
let keepsTerminating = false;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ clock });
  await cluster.startKubelet({ terminates: () => !keepsTerminating });
});
afterAll(() => cluster.stop());

/** Polls while the clock advances, because backoffs and batches use the manager's clock. */
function eventually<T>(read: () => Promise<T>) {
  return expect.poll(async () => {
    await clock.advance(100);
    return read();
  }, within);
}

async function scene(spec: PodDisruptionBudget["spec"], replicas = 4) {
  const namespace = await cluster.namespace();
  const labels = { app: "web" };
  const { client } = cluster;
  const budgets = client.resource(podDisruptionBudgets).namespace(namespace);
  const inNamespace = client.resource(pods).namespace(namespace);
  const deployment: Deployment = {
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
    },
  };
  await client.resource(deployments).namespace(namespace).create(deployment);
  await budgets.create({
    metadata: { name: "web", namespace },
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  return {
    namespace,
    pods: inNamespace,
    status: async () => (await budgets.get("web")).status,
    scale: (replicas: number) =>
      client
        .resource(deployments)
        .namespace(namespace)
        .patch("web", { spec: { replicas } }, { type: "merge" }),
    names: async () => (await inNamespace.list()).items.map(({ metadata }) => metadata?.name ?? ""),
    evict: (name: string) =>
      inNamespace.createSubresource(name, "eviction", {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name, namespace },
      }),
    messages: async () =>
      (await client.resource(events).namespace(namespace).list()).items
        .filter(({ involvedObject }) => involvedObject.kind === "PodDisruptionBudget")
        .map(({ reason, message }) => `${reason}: ${message}`),
  };
}

test("a budget compares healthy Pods with its spec, and allows the difference", async () => {
  const web = await scene({ minAvailable: "75%" });
  await eventually(web.status).toMatchObject({ currentHealthy: 4, disruptionsAllowed: 1 });
  expect(await web.status()).toEqual({
    currentHealthy: 4,
    desiredHealthy: 3,
    disruptionsAllowed: 1,
    expectedPods: 4,
    observedGeneration: 1,
    conditions: [
      {
        type: "DisruptionAllowed",
        status: "True",
        reason: "SufficientPods",
        message: "",
        observedGeneration: 1,
        lastTransitionTime: expect.stringMatching(/Z$/),
      },
    ],
  });
  await web.scale(8);
  await eventually(web.status).toMatchObject({ expectedPods: 8, desiredHealthy: 6, disruptionsAllowed: 2 });
});

test("evictions use up the budget, and replaced Pods refill it", async () => {
  const web = await scene({ maxUnavailable: 1 });
  await eventually(web.status).toMatchObject({ disruptionsAllowed: 1, desiredHealthy: 3 });
  const [first = "", second = ""] = await web.names();
  keepsTerminating = true;
  await web.evict(first);
  const refused = await web.evict(second).then(
    () => undefined,
    (error: Error) => error,
  );
  expect(isTooManyRequests(refused)).toBe(true);
  expect(refused?.message).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
  await eventually(web.status).toMatchObject({
    disruptionsAllowed: 1,
    conditions: [{ type: "DisruptionAllowed", status: "True" }],
  });
  keepsTerminating = false;
  await cluster.client.resource(pods).namespace(web.namespace).delete(first, { gracePeriodSeconds: 0 });
  await web.evict(second);
  await eventually(web.names).not.toContain(second);
});

test("a percentage fails for Pods without a controller, and a budget without Pods allows nothing", async () => {
  const web = await scene({ maxUnavailable: "50%", selector: { matchLabels: { app: "stray" } } }, 0);
  await eventually(web.messages).toContain("NoPods: No matching pods found");
  expect(await web.status()).toMatchObject({
    expectedPods: 0,
    disruptionsAllowed: 0,
    conditions: [{ status: "False", reason: "InsufficientPods" }],
  });
  await web.pods.create({
    metadata: { name: "stray", namespace: web.namespace, labels: { app: "stray" } },
    spec: { containers: [{ name: "c", image: "c" }] },
  });
  await eventually(web.messages).toContainEqual(
    expect.stringMatching(
      /^UnmanagedPods: Pods selected by this PodDisruptionBudget \(selector: &LabelSelector/,
    ),
  );
});

test("reports an owner without a scale subresource", async () => {
  const web = await scene({ maxUnavailable: 1, selector: { matchLabels: { app: "owned" } } }, 0);
  const accounts = cluster.client.resource(serviceAccounts).namespace(web.namespace);
  // Its controller may need a moment.
  const account = await vi.waitFor(() => accounts.get("default"), within);
  const { uid = "" } = account.metadata ?? {};
  await web.pods.create({
    metadata: {
      name: "owned",
      namespace: web.namespace,
      labels: { app: "owned" },
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "ServiceAccount",
          name: "default",
          uid,
          controller: true,
        },
      ],
    },
    spec: { containers: [{ name: "c", image: "c" }] },
  });
  await eventually(async () => (await web.status())?.conditions?.[0]).toMatchObject({
    reason: "SyncFailed",
    message: "serviceaccounts does not implement the scale subresource",
  });
});
