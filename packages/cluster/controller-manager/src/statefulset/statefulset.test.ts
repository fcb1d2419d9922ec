import {
  events,
  isAlreadyExists,
  type Pod,
  pods,
  type StatefulSet,
  statefulSets,
} from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { controllerRevisions, persistentVolumeClaims, storageClasses } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";

let cluster: TestCluster;
let kubelet: FakeKubelet;
/** Keys (namespace/name) of Pods that do not become ready, and of Pods that do not terminate. */
const unready = new Set<string>();
const lingering = new Set<string>();
const key = ({ metadata }: Pod) => `${metadata?.namespace}/${metadata?.name}`;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.client
    .resource(storageClasses)
    .create({ metadata: { name: "at-once" }, provisioner: "rancher.io/local-path", reclaimPolicy: "Delete" })
    .catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  await cluster.startManager();
  kubelet = await cluster.startKubelet({
    becomesReady: (pod) => !unready.has(key(pod)),
    terminates: (pod) => !lingering.has(key(pod)),
  });
});
afterAll(() => cluster.stop());

async function scene(spec: Partial<NonNullable<StatefulSet["spec"]>> = {}, unreadyNames: string[] = []) {
  const namespace = await cluster.namespace();
  for (const name of unreadyNames) unready.add(`${namespace}/${name}`);
  const sets = cluster.client.resource(statefulSets).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const labels = { app: "db" };
  await sets.create({
    metadata: { name: "db", namespace },
    spec: {
      serviceName: "db",
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
      ...spec,
    },
  });
  const all = async () => (await inNamespace.list()).items;
  const status = async () => (await sets.get("db")).status;
  return {
    namespace,
    sets,
    pods: inNamespace,
    status,
    patch: (spec: object) => sets.patch("db", { spec }, { type: "merge" }),
    image: (image: string) =>
      sets.patch(
        "db",
        { spec: { template: { spec: { containers: [{ name: "db", image }] } } } },
        { type: "strategic" },
      ),
    /** "db-0 db:1", with a star for a terminating Pod. */
    shown: async () =>
      (await all())
        .map(
          ({ metadata, spec }) =>
            `${metadata?.name} ${spec?.containers[0]?.image}${metadata?.deletionTimestamp ? "*" : ""}`,
        )
        .sort(),
    claims: async () =>
      (await cluster.client.resource(persistentVolumeClaims).namespace(namespace).list()).items.map(
        ({ metadata }) =>
          `${metadata?.name} ${metadata?.ownerReferences?.map(({ kind }) => kind) ?? ""}`.trim(),
      ),
    revisions: async () =>
      (await cluster.client.resource(controllerRevisions).namespace(namespace).list()).items
        .sort((a, b) => a.revision - b.revision)
        .map(({ metadata, revision }) => ({ name: metadata?.name, revision })),
    messages: async () =>
      (await cluster.client.resource(events).namespace(namespace).list()).items
        .filter(({ source }) => source?.component === "statefulset-controller")
        .flatMap(({ reason, message, count = 1 }) => Array(count).fill(`${reason}: ${message}`)),
    ready: (count: number) =>
      expect.poll(async () => (await status())?.availableReplicas, within).toBe(count),
    async release(name: string) {
      unready.delete(`${namespace}/${name}`);
      lingering.delete(`${namespace}/${name}`);
      await kubelet.resync();
    },
  };
}

test("Pods start one after the other, each when the one before it is ready, with their own identity", async () => {
  const db = await scene({}, ["db-1"]);
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1"]);
  await expect
    .poll(db.status, within)
    .toMatchObject({ replicas: 2, readyReplicas: 1, currentReplicas: 2, updatedReplicas: 2 });
  await db.release("db-1");
  await db.ready(3);
  expect(await db.status()).toEqual({
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    collisionCount: 0,
    currentRevision: expect.stringMatching(/^db-[a-z0-9]+$/),
    updateRevision: (await db.status())?.currentRevision,
  });
  expect(await db.pods.get("db-2")).toMatchObject({
    metadata: {
      generateName: "db-",
      labels: {
        app: "db",
        "apps.kubernetes.io/pod-index": "2",
        "statefulset.kubernetes.io/pod-name": "db-2",
        "controller-revision-hash": (await db.status())?.updateRevision,
      },
      ownerReferences: [{ kind: "StatefulSet", name: "db", controller: true, blockOwnerDeletion: true }],
    },
    spec: { hostname: "db-2", subdomain: "db" },
  });
  await expect
    .poll(db.messages, within)
    .toContain("SuccessfulCreate: Create Pod db-2 in StatefulSet db successful");
});

test("Pods stop one at a time, the last one first", async () => {
  const db = await scene();
  await db.ready(3);
  lingering.add(`${db.namespace}/db-2`);
  await db.patch({ replicas: 1 });
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:1*"]);
  await db.release("db-2");
  await expect.poll(db.shown, within).toEqual(["db-0 db:1"]);
  await expect.poll(db.status, within).toMatchObject({ replicas: 1, observedGeneration: 2 });
  await expect
    .poll(db.messages, within)
    .toContain("SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful");
});

test("an update goes from the last Pod down to the partition, and back again", async () => {
  const db = await scene();
  await db.ready(3);
  await db.patch({ updateStrategy: { rollingUpdate: { partition: 2 } } });
  await db.image("db:2");
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:2"]);
  await expect
    .poll(db.status, within)
    .toMatchObject({ currentReplicas: 2, updatedReplicas: 1, availableReplicas: 3 });
  // A Pod below the partition is recreated unchanged.
  await db.pods.delete("db-0");
  await expect
    .poll(async () => (await db.messages()).filter((text) => text.includes("Create Pod db-0")).length, within)
    .toBe(2);
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:2"]);
  await db.ready(3);

  await db.patch({ updateStrategy: { rollingUpdate: { partition: 0 } } });
  await expect.poll(db.shown, within).toEqual(["db-0 db:2", "db-1 db:2", "db-2 db:2"]);
  await expect.poll(db.status, within).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
  const [first, second] = await db.revisions();
  expect([first?.revision, second?.revision]).toEqual([1, 2]);
  await expect.poll(async () => (await db.status())?.currentRevision, within).toBe(second?.name);

  await db.image("db:1");
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:1"]);
  expect(await db.revisions()).toEqual([
    { name: second?.name, revision: 2 },
    { name: first?.name, revision: 3 },
  ]);
});

test("a Pod that does not become ready stops an update", async () => {
  const db = await scene();
  await db.ready(3);
  unready.add(`${db.namespace}/db-2`);
  await db.image("db:broken");
  await expect.poll(db.shown, within).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:broken"]);
  await expect.poll(db.status, within).toMatchObject({ readyReplicas: 2, updatedReplicas: 1 });
  await db.release("db-2");
  await expect.poll(db.shown, within).toEqual(["db-0 db:broken", "db-1 db:broken", "db-2 db:broken"]);
});

test("Parallel starts and stops all Pods at once, and OnDelete replaces deleted Pods", async () => {
  const db = await scene(
    { podManagementPolicy: "Parallel", updateStrategy: { type: "OnDelete" }, ordinals: { start: 5 } },
    ["db-5", "db-6", "db-7"],
  );
  await expect.poll(db.shown, within).toEqual(["db-5 db:1", "db-6 db:1", "db-7 db:1"]);
  for (const name of ["db-5", "db-6", "db-7"]) await db.release(name);
  await db.ready(3);
  await db.image("db:2");
  await expect.poll(async () => (await db.status())?.observedGeneration, within).toBe(2);
  await db.pods.delete("db-6");
  await expect.poll(db.shown, within).toEqual(["db-5 db:1", "db-6 db:2", "db-7 db:1"]);
  await db.patch({ replicas: 0 });
  await expect.poll(db.shown, within).toEqual([]);
});

test("each Pod has its own claims, which its successor gets and the retention policy deletes", async () => {
  const db = await scene({
    replicas: 2,
    template: {
      metadata: { labels: { app: "db" } },
      spec: {
        containers: [{ name: "db", image: "db:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
      },
    },
    persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
    volumeClaimTemplates: [
      {
        metadata: { name: "data", labels: { tier: "disk" } },
        spec: {
          storageClassName: "at-once",
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
        },
      },
    ],
  });
  await db.ready(2);
  expect(await db.claims()).toEqual(["data-db-0", "data-db-1"]);
  expect((await db.pods.get("db-1")).spec?.volumes?.[0]).toEqual({
    name: "data",
    persistentVolumeClaim: { claimName: "data-db-1" },
  });
  await expect
    .poll(db.messages, within)
    .toContain("SuccessfulCreate: Create Claim data-db-1 Pod db-1 in StatefulSet db success");
  lingering.add(`${db.namespace}/db-1`);
  await db.patch({ replicas: 1 });
  await expect.poll(db.claims, within).toEqual(["data-db-0", "data-db-1 Pod"]);
  await db.release("db-1");
  await expect.poll(db.shown, within).toEqual(["db-0 db:1"]);
  await expect.poll(db.claims, within).toEqual(["data-db-0"]);
  await db.patch({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", whenDeleted: "Delete" } });
  await expect.poll(db.claims, within).toEqual(["data-db-0 StatefulSet"]);
  await db.sets.delete("db");
  await expect.poll(db.claims, within).toEqual([]);
});
