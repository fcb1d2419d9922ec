import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectView } from "../cluster/wire.ts";
import { layOut, nodeSize } from "./layout.ts";
import { visibleObjects } from "./visible-objects.ts";

function view(
  uid: string,
  { owners = [] as string[], kind = "Pod", namespace = "shop", apiVersion = "v1" } = {},
): ObjectView {
  return {
    ...{ uid, apiVersion, kind, namespace, name: uid, resourceVersion: "1", created: 0 },
    owners: owners.map((owner) => ({ uid: owner, controller: true })),
    status: { tone: "ok", word: "", detail: "" },
  };
}

const forest = [
  view("order", { kind: "Order" }),
  view("web", { kind: "Deployment", owners: ["order"] }),
  view("web-1", { kind: "ReplicaSet", owners: ["web"] }),
  view("web-1-a", { owners: ["web-1"] }),
  view("web-1-b", { owners: ["web-1"] }),
  view("config", { kind: "ConfigMap" }),
];
const at = (objects: readonly ObjectView[], width: number, uid: string) =>
  layOut(objects, width).nodes.find((node) => node.view.uid === uid);

describe("the layout", () => {
  test("goes from owners to owned objects, from left to right", () => {
    const { nodes, edges } = layOut(forest, 1200);
    const columns = ["order", "web", "web-1", "web-1-a"].map(
      (uid) => nodes.find((node) => node.view.uid === uid)?.x,
    );
    expect(columns).toEqual(columns.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(columns).size).toBe(4);
    expect(edges.map(({ uid }) => uid).sort()).toEqual(["web", "web-1", "web-1-a", "web-1-b"]);
  });

  test("is an indented list in a narrow view", () => {
    const { nodes } = layOut(forest, 400);
    expect(nodes.map((node) => node.view.uid)).toEqual([
      "order",
      "web",
      "web-1",
      "web-1-a",
      "web-1-b",
      "config",
    ]);
    expect(nodes.map(({ y }) => y)).toEqual(nodes.map(({ y }) => y).toSorted((a, b) => a - b));
  });

  test("begins with custom resources, whether they own anything or not", () => {
    const tool = view("tool", { kind: "Tool", apiVersion: "ualter.com/v1" });
    const rule = view("rule", { kind: "NetworkPolicy", apiVersion: "networking.k8s.io/v1" });
    const { nodes } = layOut([...forest.slice(1), rule, tool], 400);
    expect(nodes.map((node) => node.view.uid)).toEqual([
      "tool",
      "web",
      "web-1",
      "web-1-a",
      "web-1-b",
      "rule",
      "config",
    ]);
  });

  test("has a section for each namespace, with cluster-scoped objects last", () => {
    const objects = [
      view("a", { namespace: "" }),
      view("b", { namespace: "shop" }),
      view("c", { namespace: "bar" }),
    ];
    expect(layOut(objects, 1200).sections.map(({ namespace }) => namespace)).toEqual(["bar", "shop", ""]);
  });

  test("keeps objects in their places when another one appears below them", () => {
    const more = [...forest, view("web-1-c", { owners: ["web-1"] })];
    for (const { uid } of forest.filter(({ kind }) => kind !== "ConfigMap"))
      expect(at(more, 1200, uid), uid).toEqual(at(forest, 1200, uid));
  });

  test("shows every object once and none above another, also with circles of owners and at any width", () => {
    const uids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const object = fc.record({
      owners: fc.subarray(uids, { maxLength: 2 }),
      namespace: fc.constantFrom("x", "y"),
    });
    fc.assert(
      fc.property(fc.array(object, { maxLength: 8 }), fc.integer({ min: 300, max: 2500 }), (given, width) => {
        const objects = given.map((options, index) => view(uids[index] ?? "", options));
        const { nodes, height } = layOut(objects, width);
        expect(nodes.map((node) => node.view.uid).sort()).toEqual(objects.map(({ uid }) => uid));
        for (const [index, a] of nodes.entries()) {
          expect(a.y + nodeSize.height).toBeLessThanOrEqual(height);
          for (const b of nodes.slice(index + 1))
            expect(Math.abs(a.x - b.x) >= nodeSize.width || Math.abs(a.y - b.y) >= nodeSize.height).toBe(
              true,
            );
        }
      }),
    );
  });
});

describe("the filter", () => {
  const objects = new Map(
    [
      ...forest,
      view("dns", { namespace: "kube-system" }),
      view("kube-root-ca.crt", { kind: "ConfigMap" }),
      view("node", { kind: "Lease" }),
      view("system:node", { kind: "ClusterRole" }),
      view("cluster-admin", { kind: "ClusterRoleBinding" }),
    ].map((one) => [one.uid, one]),
  );
  const shown = (filter: Partial<Parameters<typeof visibleObjects>[1]>) =>
    visibleObjects(objects, { namespace: undefined, search: "", everything: false, ...filter }).map(
      ({ uid }) => uid,
    );

  test("hides Kubernetes' own namespaces and quiet objects, until they are asked for", () => {
    expect(shown({})).toEqual(forest.map(({ uid }) => uid));
    expect(shown({ namespace: "" })).toContain("dns");
    expect(shown({ namespace: "kube-system" })).toEqual(["dns"]);
    expect(shown({ everything: true })).toEqual(
      expect.arrayContaining(["node", "kube-root-ca.crt", "cluster-admin"]),
    );
  });

  test("finds objects by name and kind, with their owners", () => {
    expect(shown({ search: "1-a" }).sort()).toEqual(["order", "web", "web-1", "web-1-a"]);
    expect(shown({ search: "configmap" })).toEqual(["config"]);
  });
});
