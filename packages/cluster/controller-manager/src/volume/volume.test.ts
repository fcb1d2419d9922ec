import { events, isAlreadyExists, type PersistentVolumeClaim, pods } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { persistentVolumeClaims, persistentVolumes, storageClasses } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.client
    .resource(storageClasses)
    .create({
      metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "rancher.io/local-path",
      volumeBindingMode: "WaitForFirstConsumer",
    })
    .catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  await cluster.startManager();
  for (const nodeName of ["node-1", "node-2"]) await cluster.startKubelet({ nodeName });
});
afterAll(() => cluster.stop());

async function scene(spec: PersistentVolumeClaim["spec"] = {}) {
  const namespace = await cluster.namespace();
  const claims = cluster.client.resource(persistentVolumeClaims).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  await claims.create({
    metadata: { name: "data", namespace },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  });
  return {
    namespace,
    claims,
    pods: inNamespace,
    claim: () => claims.get("data"),
    pod: (name: string, claimName = "data") =>
      expect
        .poll(
          () =>
            inNamespace
              .create({
                metadata: { name, namespace },
                spec: {
                  containers: [{ name: "c", image: "c", volumeMounts: [{ name: "v", mountPath: "/v" }] }],
                  volumes: [{ name: "v", persistentVolumeClaim: { claimName } }],
                },
              })
              .then(() => "created", String),
          within,
        )
        .toBe("created"),
    messages: async () =>
      (await cluster.client.resource(events).namespace(namespace).list()).items.map(
        ({ reason, message }) => `${reason}: ${message}`,
      ),
  };
}

const volumes = () => cluster.client.resource(persistentVolumes);

test("a claim waits for its first Pod, and gets its volume on that Pod's node for good", async () => {
  const data = await scene();
  await expect
    .poll(data.messages, within)
    .toContain("WaitForFirstConsumer: waiting for first consumer to be created before binding");
  expect((await data.claim()).status?.phase).toBe("Pending");
  await data.pod("first");
  await expect.poll(async () => (await data.pods.get("first")).status?.phase, within).toBe("Running");
  const { nodeName } = (await data.pods.get("first")).spec ?? {};
  const claim = await data.claim();
  const volumeName = `pvc-${claim.metadata?.uid}`;
  expect(claim).toMatchObject({
    metadata: {
      annotations: {
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
        "volume.kubernetes.io/selected-node": nodeName,
        "volume.kubernetes.io/storage-provisioner": "rancher.io/local-path",
        "volume.beta.kubernetes.io/storage-provisioner": "rancher.io/local-path",
      },
    },
    spec: { storageClassName: "standard", volumeName },
    status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
  });
  expect(await volumes().get(volumeName)).toMatchObject({
    metadata: { annotations: { "pv.kubernetes.io/provisioned-by": "rancher.io/local-path" } },
    spec: {
      claimRef: { namespace: data.namespace, name: "data", uid: claim.metadata?.uid },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "standard",
    },
    status: { phase: "Bound" },
  });
  await expect
    .poll(data.messages, within)
    .toContain(`ProvisioningSucceeded: Successfully provisioned volume ${volumeName}`);

  await data.pods.delete("first");
  await data.pod("second");
  await expect.poll(async () => (await data.pods.get("second")).spec?.nodeName, within).toBe(nodeName);

  await data.pods.delete("second");
  await data.claims.delete("data");
  await expect
    .poll(async () => (await volumes().list()).items.map(({ metadata }) => metadata?.name), within)
    .not.toContain(volumeName);
});

test("a manual volume is bound if it is large enough, and kept when its claim is deleted", async () => {
  for (const [name, storage] of [
    ["small", "1Gi"],
    ["huge", "10Gi"],
    ["fitting", "5Gi"],
  ] as const) {
    await volumes().create({
      metadata: { name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage },
        hostPath: { path: `/srv/${name}` },
        storageClassName: "by-hand",
        persistentVolumeReclaimPolicy: "Retain",
      },
    });
  }
  await expect.poll(async () => (await volumes().get("fitting")).status?.phase, within).toBe("Available");
  const data = await scene({ storageClassName: "by-hand", resources: { requests: { storage: "4Gi" } } });
  await expect.poll(async () => (await data.claim()).status?.phase, within).toBe("Bound");
  expect((await data.claim()).spec?.volumeName).toBe("fitting");
  expect((await data.claim()).status?.capacity).toEqual({ storage: "5Gi" });
  await data.claims.delete("data");
  await expect.poll(async () => (await volumes().get("fitting")).status?.phase, within).toBe("Released");
});

test("reports why a claim or its Pod waits", async () => {
  const unknown = await scene({ storageClassName: "unknown" });
  await unknown.pod("stuck");
  await unknown.pod("lost", "missing");
  await expect
    .poll(unknown.messages, within)
    .toEqual(
      expect.arrayContaining([
        'ProvisioningFailed: storageclass.storage.k8s.io "unknown" not found',
        "FailedScheduling: 0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
        'FailedScheduling: 0/2 nodes are available: persistentvolumeclaim "missing" not found. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
      ]),
    );
  const none = await scene({ storageClassName: "" });
  await expect
    .poll(none.messages, within)
    .toContain("FailedBinding: no persistent volumes available for this claim and no storage class is set");
});
