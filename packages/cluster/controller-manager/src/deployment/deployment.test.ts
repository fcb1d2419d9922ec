import {
  type Deployment,
  deployments,
  events,
  isNotFound,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { templateHash } from "../history.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";

let cluster: TestCluster;
let kubelet: FakeKubelet;
let holdTermination = false;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
  kubelet = await cluster.startKubelet({
    becomesReady: (pod) => !pod.spec?.containers[0]?.image?.includes("broken"),
    terminates: () => !holdTermination,
  });
});
afterAll(() => cluster.stop());

/** Creates a namespace with a Deployment, and returns accessors for it. */
async function deploy(spec: Partial<NonNullable<Deployment["spec"]>> = {}, image = "payment:1") {
  const namespace = await cluster.namespace();
  const scope = cluster.client.resource(deployments).namespace(namespace);
  const labels = { app: "payment" };
  await scope.create({
    metadata: { name: "payment", namespace },
    spec: {
      replicas: 3,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "payment", image }], terminationGracePeriodSeconds: 30 },
      },
      ...spec,
    },
  });
  const patch = (patch: object) => scope.patch("payment", patch, { type: "strategic" });
  const sets = async () => {
    const { items } = await cluster.client.resource(replicaSets).namespace(namespace).list();
    return items.sort((a, b) => revision(a) - revision(b));
  };
  return {
    namespace,
    scope,
    patch,
    sets,
    get: () => scope.get("payment"),
    setImage: (image: string) =>
      patch({ spec: { template: { spec: { containers: [{ name: "payment", image }] } } } }),
    sizes: async () => Object.fromEntries((await sets()).map((set) => [revision(set), set.spec?.replicas])),
    pods: async () => (await cluster.client.resource(pods).namespace(namespace).list()).items,
    messages: async () => {
      const { items } = await cluster.client.resource(events).namespace(namespace).list();
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
    /** Resolves when the rollout is complete, as `kubectl rollout status` defines it. */
    complete: () =>
      expect
        .poll(async () => {
          const { spec, status, metadata } = await scope.get("payment");
          const progress = status?.conditions?.find(({ type }) => type === "Progressing");
          return (
            (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
            (status?.updatedReplicas ?? 0) === spec?.replicas &&
            (status?.replicas ?? 0) === spec?.replicas &&
            (status?.availableReplicas ?? 0) === spec?.replicas &&
            progress?.reason === "NewReplicaSetAvailable"
          );
        }, within)
        .toBe(true),
  };
}

const revision = ({ metadata }: ReplicaSet) =>
  Number(metadata?.annotations?.["deployment.kubernetes.io/revision"]);
const condition = ({ status }: Deployment, type: string) =>
  status?.conditions?.find((entry) => entry.type === type);

test("a Deployment creates a ReplicaSet and Pods, with the status and Events that kubectl shows", async () => {
  const payment = await deploy();
  await payment.complete();

  const [set] = await payment.sets();
  const hash = set?.metadata?.labels?.["pod-template-hash"] ?? "";
  expect(set?.metadata?.name).toBe(`payment-${hash}`);
  expect(hash).toMatch(/^[456789bcdf]{8,10}$/);
  expect(set?.spec?.selector.matchLabels).toEqual({ app: "payment", "pod-template-hash": hash });
  for (const pod of await payment.pods()) {
    expect(pod.metadata?.name).toMatch(new RegExp(`^payment-${hash}-[a-z0-9]{5}$`));
    expect(pod.metadata?.labels).toEqual({ app: "payment", "pod-template-hash": hash });
    expect(pod.metadata?.ownerReferences).toMatchObject([
      { kind: "ReplicaSet", controller: true, blockOwnerDeletion: true },
    ]);
    expect(pod.spec?.nodeName).toBe("node-1");
  }
  const deployment = await payment.get();
  expect(deployment.metadata?.annotations?.["deployment.kubernetes.io/revision"]).toBe("1");
  expect(deployment.metadata?.generation).toBe(1);
  expect(deployment.status).toMatchObject({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  expect(deployment.status).not.toHaveProperty("unavailableReplicas");
  expect(condition(deployment, "Available")).toMatchObject({
    status: "True",
    reason: "MinimumReplicasAvailable",
    message: "Deployment has minimum availability.",
  });
  expect(condition(deployment, "Progressing")).toMatchObject({
    status: "True",
    message: `ReplicaSet "payment-${hash}" has successfully progressed.`,
  });
  await expect
    .poll(payment.messages, within)
    .toContain(`ScalingReplicaSet: Scaled up replica set payment-${hash} from 0 to 3`);
});

test("a rolling update ends with the new revision, and keeps the old one scaled to 0", async () => {
  const payment = await deploy();
  await payment.complete();
  await payment.setImage("payment:2");
  await payment.complete();
  expect(await payment.sizes()).toEqual({ 1: 0, 2: 3 });
  await expect.poll(async () => (await payment.pods()).length, within).toBe(3);
});

test("a broken revision stops at the surge, and a rollback gives the good one a new number", async () => {
  const payment = await deploy();
  await payment.complete();
  const [good] = await payment.sets();
  await payment.setImage("payment:broken");
  await expect.poll(async () => (await payment.get()).status?.updatedReplicas, within).toBe(1);
  expect(await payment.sizes()).toEqual({ 1: 3, 2: 1 });
  expect((await payment.get()).status).toMatchObject({
    replicas: 4,
    availableReplicas: 3,
    unavailableReplicas: 1,
  });

  await payment.setImage("payment:1");
  await payment.complete();
  expect(await payment.sizes()).toEqual({ 2: 0, 3: 3 });
  const [, rolledBack] = await payment.sets();
  expect(rolledBack?.metadata?.uid).toBe(good?.metadata?.uid);
  expect(rolledBack?.metadata?.annotations?.["deployment.kubernetes.io/revision-history"]).toBe("1");
});

test("scaling creates no revision, and during a rollout keeps the proportions", async () => {
  const payment = await deploy({
    replicas: 8,
    strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
  });
  await payment.complete();
  await payment.setImage("payment:broken");
  await expect.poll(payment.sizes, within).toEqual({ 1: 8, 2: 2 });
  await payment.patch({ spec: { replicas: 18 } });
  await expect.poll(payment.sizes, within).toEqual({ 1: 16, 2: 4 });
});

test("Recreate creates no new Pod before the last old one is deleted", async () => {
  holdTermination = true;
  const payment = await deploy({ strategy: { type: "Recreate" } });
  await payment.complete();
  await payment.setImage("payment:2");
  await expect
    .poll(
      async () => (await payment.pods()).filter(({ metadata }) => metadata?.deletionTimestamp).length,
      within,
    )
    .toBe(3);
  await expect.poll(async () => (await payment.sets())[0]?.status?.terminatingReplicas, within).toBe(3);
  expect(await payment.sizes()).toEqual({ 1: 0 });
  holdTermination = false;
  await kubelet.resync();
  await payment.complete();
  expect(await payment.sizes()).toEqual({ 1: 0, 2: 3 });
});

test("template changes wait while the Deployment is paused, and the condition says so", async () => {
  const payment = await deploy();
  await payment.complete();
  await payment.patch({ spec: { paused: true } });
  await expect
    .poll(async () => condition(await payment.get(), "Progressing")?.reason, within)
    .toBe("DeploymentPaused");
  await payment.setImage("payment:2");
  await payment.patch({ spec: { replicas: 4 } });
  await expect.poll(payment.sizes, within).toEqual({ 1: 4 });
  expect((await payment.sets()).length).toBe(1);
  await payment.patch({ spec: { paused: false } });
  await payment.complete();
  expect(await payment.sizes()).toEqual({ 1: 0, 2: 4 });
});

test("keeps as many old revisions as revisionHistoryLimit says", async () => {
  const payment = await deploy({ replicas: 1, revisionHistoryLimit: 1 });
  for (const image of ["payment:2", "payment:3"]) {
    await payment.complete();
    await payment.setImage(image);
  }
  await payment.complete();
  await expect.poll(payment.sizes, within).toEqual({ 2: 0, 3: 1 });
});

test("adopts the ReplicaSet of a deleted Deployment, Pods included", async () => {
  const payment = await deploy();
  await payment.complete();
  const before = (await payment.pods()).map(({ metadata }) => metadata?.uid).sort();
  const { metadata, spec } = await payment.get();
  await payment.scope.delete("payment", { propagationPolicy: "Orphan" });
  await expect
    .poll(async () => (await payment.sets())[0]?.metadata?.ownerReferences ?? [], within)
    .toEqual([]);
  // The finalizer is removed after the references.
  await expect.poll(() => payment.get().catch(isNotFound), within).toBe(true);
  await payment.scope.create({
    metadata: { name: metadata?.name, namespace: payment.namespace },
    spec,
  } as Deployment);
  await payment.complete();
  const [set, ...others] = await payment.sets();
  expect(others).toEqual([]);
  expect(set?.metadata?.ownerReferences).toMatchObject([{ kind: "Deployment", name: "payment" }]);
  expect((await payment.pods()).map(({ metadata }) => metadata?.uid).sort()).toEqual(before);
});

test("chooses another name when a foreign ReplicaSet has the first one", async () => {
  const payment = await deploy({ paused: true });
  const { spec } = await payment.get();
  const template = spec?.template as NonNullable<Pod["metadata"]> & NonNullable<typeof spec>["template"];
  const name = `payment-${templateHash(template)}`;
  const labels = { app: "stranger" };
  await cluster.client
    .resource(replicaSets)
    .namespace(payment.namespace)
    .create({
      metadata: { name, namespace: payment.namespace },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { ...template, metadata: { labels } },
      },
    });
  await payment.patch({ spec: { paused: false } });
  await payment.complete();
  const { status } = await payment.get();
  expect(status?.collisionCount).toBe(1);
  const owned = (await payment.sets()).filter(({ metadata }) => metadata?.ownerReferences);
  expect(owned.map(({ metadata }) => metadata?.name)).toEqual([`payment-${templateHash(template, 1)}`]);
});

test.skipIf(process.env.TEST_KUBECONFIG)(
  "Pods become available after minReadySeconds, and a rollout without progress times out",
  async () => {
    const later = await startTestCluster();
    const clock = createFakeClock(Date.now());
    try {
      await later.startManager({ clock });
      await later.startKubelet({
        now: clock.now,
        becomesReady: (pod) => !pod.spec?.containers[0]?.image?.includes("broken"),
      });
      const outer = cluster;
      cluster = later;
      const payment = await deploy({ replicas: 1, minReadySeconds: 60, progressDeadlineSeconds: 90 });
      cluster = outer;
      // Each read advances the clock by less than any delay under test.
      const look = async <T>(read: () => Promise<T>) => {
        await clock.advance(500);
        return read();
      };
      const status = async () => (await payment.get()).status;
      await expect.poll(() => look(async () => (await status())?.readyReplicas), within).toBe(1);
      expect((await status())?.availableReplicas).toBeUndefined();
      await clock.advance(61_000);
      await expect.poll(() => look(async () => (await status())?.availableReplicas), within).toBe(1);

      await payment.setImage("payment:broken");
      await expect.poll(() => look(async () => (await status())?.updatedReplicas), within).toBe(1);
      expect(condition(await payment.get(), "Progressing")?.status).toBe("True");
      await clock.advance(95_000);
      await expect
        .poll(() => look(async () => condition(await payment.get(), "Progressing")), within)
        .toMatchObject({
          status: "False",
          reason: "ProgressDeadlineExceeded",
          message: expect.stringMatching(/has timed out progressing\.$/),
        });
    } finally {
      await later.stop();
    }
  },
);
