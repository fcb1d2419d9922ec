import {
  defineResource,
  type PersistentVolume,
  type PersistentVolumeClaim,
  pods,
} from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsOf, getPod, isReady, podOf, startTestNode, until } from "../testing/node.ts";

const core = { group: "", version: "v1" };
const claims = defineResource<PersistentVolumeClaim>({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
});
const volumes = defineResource<PersistentVolume>({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});

let node: Awaited<ReturnType<typeof startTestNode>>;
beforeAll(async () => {
  node = await startTestNode();
});
afterAll(() => node.stop());

function podWith(name: string, command: string) {
  const volumeMounts = [{ name: "data", mountPath: "/data" }];
  return podOf(name, [{ image: "busybox", command: ["sh", "-c", `${command}; sleep 1000`], volumeMounts }], {
    terminationGracePeriodSeconds: 0,
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
  });
}

test("keeps a PersistentVolume's files for the next Pod, and waits for an unbound claim", async () => {
  const { client } = node;
  const inNamespace = client.resource(pods).namespace("default");
  const claim = client.resource(claims).namespace("default");
  const asked = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  await claim.create({
    metadata: { name: "data", namespace: "default" },
    spec: { ...asked, volumeName: "pv", storageClassName: "" },
  });
  await inNamespace.create(podWith("writer", "echo kept > /data/note"));
  await until(
    () => eventsOf(client, "writer"),
    (lines) => lines.some((line) => line.includes("error processing PVC default/data: PVC is not bound")),
  );
  await client.resource(volumes).create({
    metadata: { name: "pv" },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/etc" } },
  });
  await claim.patch("data", { status: { phase: "Bound" } }, { type: "merge", subresource: "status" });
  await until(getPod(client, "writer"), isReady);
  await inNamespace.delete("writer");

  // In spite of its hostPath, the volume shows nothing of this machine.
  await inNamespace.create(podWith("reader", "ls /data; cat /data/note"));
  await until(getPod(client, "reader"), isReady);
  const log = async () =>
    new TextDecoder().decode(
      (await client.request({ method: "GET", path: "/api/v1/namespaces/default/pods/reader/log" })).body,
    );
  node.server.connectNode(() => node.kubelet.connection);
  expect(await until(log, (text) => text !== "")).toBe("note\nkept\n");
});
