// StatefulSets and DaemonSets with a real kubectl: rollout status, history, undo, restart, and their volumes.
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEmbeddedCluster } from "../embedded/start.ts";
import { nameNodes } from "../node-plan.ts";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";

let bench: KubectlBench;
beforeAll(async () => {
  const nodes = nameNodes("dev", [{ role: "control-plane" }, { role: "worker" }, { role: "worker" }]);
  bench = await startKubectlBench((directory) => startEmbeddedCluster({ directory, nodes }));
});
afterAll(() => bench.stop());

const lines = (text: string): string[] => text.trim().split("\n");

const statefulSet = (image: string): string => `
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: db, image: "${image}", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

it("a StatefulSet: its Pods in order, their data, an update, its history and a rollback", async () => {
  await bench.ok("apply -f -", statefulSet("nginx:1.27"));
  expect(lines(await bench.ok("rollout status sts/db --timeout=50s")).at(-1)).toMatch(
    /^partitioned roll out complete: 2 new pods have been updated\.\.\.$/,
  );
  expect(lines(await bench.ok("get pods -l app=db -o name"))).toEqual(["pod/db-0", "pod/db-1"]);
  expect(await bench.ok("get pvc -o jsonpath={.items[*].status.phase}")).toBe("Bound Bound");
  await bench.ok("exec db-1 -- sh -c 'echo kept > /data/note'");

  await bench.ok("apply -f -", statefulSet("nginx:1.28"));
  await bench.ok("rollout status sts/db --timeout=50s");
  expect(await bench.ok("get pods -l app=db -o jsonpath={.items[*].spec.containers[0].image}")).toBe(
    "nginx:1.28 nginx:1.28",
  );
  expect(await bench.ok("exec db-1 -- cat /data/note")).toBe("kept\n");
  expect(lines(await bench.ok("rollout history sts/db"))).toEqual([
    "statefulset.apps/db ",
    "REVISION  CHANGE-CAUSE",
    "1         <none>",
    "2         <none>",
  ]);
  expect(await bench.ok("rollout undo sts/db")).toBe("statefulset.apps/db rolled back\n");
  await bench.ok("rollout status sts/db --timeout=50s");
  expect(await bench.ok("get pod db-0 -o jsonpath={.spec.containers[0].image}")).toBe("nginx:1.27");
  expect(lines(await bench.ok("rollout history sts/db")).slice(2)).toEqual([
    "2         <none>",
    "3         <none>",
  ]);
  expect(await bench.ok("scale sts/db --replicas=1")).toBe("statefulset.apps/db scaled\n");
  await bench.ok("wait --for=delete pod/db-1 --timeout=50s");
  expect(await bench.ok("get sts db")).toMatch(/^NAME +READY +AGE\ndb +1\/1 +/);
  await bench.ok("delete sts/db svc/db");
  const volume = await bench.ok("get pvc data-db-1 -o jsonpath={.spec.volumeName}");
  await bench.ok("delete pvc --all");
  await bench.ok(`wait --for=delete pv/${volume} --timeout=50s`);
});

const daemonSet = (image: string): string => `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: agent, image: "${image}"}]
`;

it("a DaemonSet: one Pod per node, an update, its history, a restart and a rollback", async () => {
  await bench.ok("apply -f -", daemonSet("nginx:1.27"));
  expect(lines(await bench.ok("rollout status ds/agent --timeout=50s")).at(-1)).toBe(
    'daemon set "agent" successfully rolled out',
  );
  expect(await bench.ok("get ds agent --no-headers")).toMatch(/^agent +2 +2 +2 +2 +2 +<none>/);
  expect(await bench.ok("get pods -l app=agent -o jsonpath={.items[*].spec.nodeName}")).toMatch(
    /^dev-worker2? dev-worker2?$/,
  );
  await bench.ok("set image ds/agent agent=nginx:1.28");
  await bench.ok("rollout status ds/agent --timeout=50s");
  expect(await bench.ok("rollout restart ds/agent")).toBe("daemonset.apps/agent restarted\n");
  await bench.ok("rollout status ds/agent --timeout=50s");
  expect(lines(await bench.ok("rollout history ds/agent")).slice(2)).toHaveLength(3);
  expect(await bench.ok("rollout undo ds/agent --to-revision=1")).toBe("daemonset.apps/agent rolled back\n");
  await bench.ok("rollout status ds/agent --timeout=50s");
  expect(await bench.ok("get pods -l app=agent -o jsonpath={.items[*].spec.containers[0].image}")).toBe(
    "nginx:1.27 nginx:1.27",
  );
  await bench.ok("delete ds/agent");
});

it("no request was answered by a failure of the server", () => {
  expect(bench.failures).toEqual([]);
});
