// kubectl drain: PodDisruptionBudgets delay it, Pods of DaemonSets stay, and all others move.
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

const scene = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: web, image: nginx}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: nginx}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
`;

it("waits for a budget, and continues when it allows", async () => {
  await bench.ok("apply -f -", scene);
  await bench.ok("rollout status deployment/web --timeout=50s");
  await bench.ok("rollout status daemonset/agent --timeout=50s");
  await bench.ok("wait --for=jsonpath={.status.currentHealthy}=2 pdb/web --timeout=50s");
  expect(await bench.ok("get pdb web --no-headers")).toMatch(/^web +2 +N\/A +0 /);

  expect(await bench.refused("drain dev-worker")).toContain(
    "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-",
  );
  const held = await bench.refused("drain dev-worker --ignore-daemonsets --timeout=1s");
  expect(held).toMatch(
    /error when evicting pods\/"web-.*" -n "default" \(will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget\./,
  );
  await bench.ok('patch pdb web --type=merge -p \'{"spec":{"minAvailable":1}}\'');
  await bench.ok("wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/web --timeout=50s");
  const drained = await bench.ok("drain dev-worker --ignore-daemonsets --timeout=50s");
  expect(drained).toContain("node/dev-worker drained");
  await bench.ok("rollout status deployment/web --timeout=50s");
  const places = "-o jsonpath={.items[*].spec.nodeName}";
  expect(await bench.ok(`get pods -l app=web ${places}`)).toBe("dev-worker2 dev-worker2");
  expect((await bench.ok(`get pods -l app=agent ${places}`)).split(" ").sort()).toEqual([
    "dev-worker",
    "dev-worker2",
  ]);
  expect(await bench.ok("uncordon dev-worker")).toBe("node/dev-worker uncordoned\n");
  expect(bench.failures).toEqual([]);
});
