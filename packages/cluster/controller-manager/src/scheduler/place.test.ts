import type { Node, NodeSpec, Pod, PodSpec } from "@operator-path/client";
import { expect, test } from "vitest";
import { place, requests } from "./place.ts";

function node(
  name: string,
  spec: NodeSpec = {},
  options: { ready?: string; cpu?: string; labels?: Record<string, string> } = {},
): Node {
  const { ready = "True", cpu = "4", labels = {} } = options;
  return {
    metadata: { name, labels },
    spec,
    status: { conditions: [{ type: "Ready", status: ready }], allocatable: { cpu, pods: "110" } },
  };
}

function pod(spec: Partial<PodSpec> = {}, owner = "rs"): Pod {
  return {
    metadata: {
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: owner, controller: true },
      ],
    },
    spec: { containers: [{ name: "a" }], ...spec },
  };
}

const nothing = () => [];
const notHelpful =
  "no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
const taint = { key: "dedicated", value: "db", effect: "NoSchedule" };

test("a Pod goes to the node with the fewest siblings, then with the fewest Pods", () => {
  const nodes = [node("a"), node("b")];
  const at = (pods: Record<string, Pod[]>) => (name: string) => pods[name] ?? [];
  expect(place(pod(), nodes, at({ a: [pod()], b: [pod({}, "other"), pod({}, "other")] }))).toEqual({
    node: "b",
  });
  expect(place(pod(), nodes, at({ a: [pod({}, "other")] }))).toEqual({ node: "b" });
  expect(place(pod(), nodes, nothing)).toEqual({ node: "a" });
});

test.each<[string, Node, Pod, string]>([
  ["cordoned", node("a", { unschedulable: true }), pod(), `1 node(s) were unschedulable. ${notHelpful}`],
  ["tainted", node("a", { taints: [taint] }), pod(), `1 node(s) had untolerated taint(s). ${notHelpful}`],
  [
    "not ready",
    node("a", {}, { ready: "False" }),
    pod(),
    `1 node(s) had untolerated taint(s). ${notHelpful}`,
  ],
  [
    "of another zone",
    node("a", {}, { labels: { zone: "2" } }),
    pod({ nodeSelector: { zone: "1" } }),
    `1 node(s) didn't match Pod's node affinity/selector. ${notHelpful}`,
  ],
  [
    "too small",
    node("a"),
    pod({ containers: [{ name: "a", resources: { requests: { cpu: "5" } } }] }),
    "1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  ],
])("a node that is %s is rejected in kube-scheduler's words", (_what, candidate, wanted, message) => {
  expect(place(wanted, [candidate], nothing)).toEqual({ message: `0/1 nodes are available: ${message}` });
});

test.each([
  { key: "dedicated", operator: "Equal", value: "db", effect: "NoSchedule" },
  { key: "dedicated", operator: "Exists" },
  { operator: "Exists" },
])("a taint is tolerated by %o", (toleration) => {
  expect(place(pod({ tolerations: [toleration] }), [node("a", { taints: [taint] })], nothing)).toEqual({
    node: "a",
  });
});

test("PreferNoSchedule rejects no Pod", () => {
  const reluctant = node("a", { taints: [{ ...taint, effect: "PreferNoSchedule" }] });
  expect(place(pod(), [reluctant], nothing)).toEqual({ node: "a" });
});

test("honours required node affinity by label and by name", () => {
  const affinity = (term: object) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    },
  });
  const nodes = [node("a", {}, { labels: { gen: "4" } }), node("b", {}, { labels: { gen: "7" } })];
  const newer = affinity({ matchExpressions: [{ key: "gen", operator: "Gt", values: ["5"] }] });
  expect(place(pod(newer), nodes, nothing)).toEqual({ node: "b" });
  const byName = affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["b"] }] });
  expect(place(pod(byName), nodes, nothing)).toEqual({ node: "b" });
});

test("reports that there are no nodes", () => {
  expect(place(pod(), [], nothing)).toEqual({ message: "no nodes available to schedule pods" });
});

test("takes the maximum of init containers, and adds sidecars to the sum", () => {
  const ask = (cpu: string) => ({ resources: { requests: { cpu } } });
  const containers = [
    { name: "a", ...ask("1") },
    { name: "b", ...ask("1") },
  ];
  const pod = (initContainers: object[]) => ({
    spec: { containers, initContainers: initContainers as typeof containers },
  });
  expect(requests(pod([])).get("cpu")).toBe(2);
  expect(requests(pod([{ name: "big", ...ask("3") }])).get("cpu")).toBe(3);
  const sidecar = { name: "proxy", restartPolicy: "Always", ...ask("1") };
  expect(requests(pod([sidecar])).get("cpu")).toBe(3);
  expect(requests(pod([sidecar, { name: "big", ...ask("3") }])).get("cpu")).toBe(4);
});
