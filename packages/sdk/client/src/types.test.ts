import { expectTypeOf, test } from "vitest";
import { ApiError, isConflict, isNotFound } from "./errors.ts";
import type { Frozen } from "./frozen.ts";
import type { Deployment, IntOrString, Node, Pod, Quantity } from "./generated/kubernetes-types.ts";
import { defineResource, type KubeObject, type Resource } from "./resource.ts";
import type { ResourceClient } from "./resource-client.ts";
import { deployments, pods } from "./resources.ts";

// This file tests the compiler. Nothing here runs. A line that must not compile follows a directive, which
// fails if the line compiles.
declare const client: ResourceClient<Deployment>;
declare const untyped: ResourceClient<KubeObject>;

const spec = { selector: {}, template: {} };

async function goodRequests() {
  expectTypeOf(
    await client.create({ metadata: { name: "a" }, spec: { replicas: 1, ...spec } }),
  ).toEqualTypeOf<Deployment>();
  await client.update({ metadata: { name: "a" }, spec });
  await client.updateStatus({ metadata: { name: "a" }, status: { readyReplicas: 1 } });
  await client.patch("a", { spec: { replicas: 2, paused: null } }, { type: "merge" });
  await client.patch("a", [{ op: "replace", path: "/spec/replicas", value: 2 }], { type: "json" });
  const containers = [{ name: "a", image: "b", $patch: "replace" as const }];
  const strategic = {
    metadata: { $patch: "merge" as const, "$setElementOrder/finalizers": ["a"] },
    spec: { template: { spec: { containers, "$deleteFromPrimitiveList/tolerations": ["a"] } } },
  };
  await client.patch("a", strategic, { type: "strategic" });
  const applied = { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 2 } };
  await client.patch("a", applied, { type: "apply", fieldManager: "me" });
  await client.patch("a", { spec: { anything: 1 } }, { type: "merge", subresource: "scale" });
  await untyped.patch("a", { spec: { anything: 1 } }, { type: "merge" });
}

async function badRequests() {
  // @ts-expect-error: replicaz
  await client.create({ spec: { replicaz: 1, ...spec } });
  // @ts-expect-error: a number
  await client.update({ metadata: { name: "a" }, spec: { replicas: "1", ...spec } });
  // @ts-expect-error: replicaz
  await client.patch("a", { spec: { replicaz: 2 } }, { type: "merge" });
  // @ts-expect-error: readyReplicaz
  await client.patch("a", { status: { readyReplicaz: 2 } }, { type: "merge", subresource: "status" });
  const template = { spec: { containers: [{ image: "b" }] } };
  // @ts-expect-error: a merge patch replaces a list as a whole, and a container has a name
  await client.patch("a", { spec: { template } }, { type: "merge" });
  // @ts-expect-error: $path
  await client.patch("a", { metadata: { $path: "replace" } }, { type: "strategic" });
  // @ts-expect-error: an operation has a path
  await client.patch("a", [{ op: "remove" }], { type: "json" });
  // @ts-expect-error: an apply configuration needs apiVersion and kind
  await client.patch("a", { spec: { replicas: 1 } }, { type: "apply" });
}

test("checks literals and patches against the type of the resource", () => {
  expectTypeOf(goodRequests).returns.resolves.toBeVoid();
  expectTypeOf(badRequests).returns.resolves.toBeVoid();
});

test("accepts a number or a string for quantities and ports wherever Kubernetes does", () => {
  const memory: Quantity = "64Mi" as Quantity;
  const port: IntOrString = 8080 as IntOrString;
  const pod: Pod = {
    spec: {
      overhead: { cpu: 1 },
      containers: [
        {
          name: "a",
          resources: { limits: { cpu: 0.5, memory }, requests: { memory } },
          livenessProbe: { httpGet: { port } },
          env: [{ name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: 1 } } }],
        },
      ],
      volumes: [{ name: "scratch", emptyDir: { sizeLimit: memory } }],
    },
  };
  expectTypeOf(pod.spec).not.toBeUndefined();
  expectTypeOf<NonNullable<Node["status"]>["capacity"]>().toEqualTypeOf<
    { [key: string]: Quantity } | undefined
  >();
});

test("gives resources the types of their objects", () => {
  expectTypeOf(pods).toEqualTypeOf<Resource<Pod>>();
  expectTypeOf(deployments).not.toEqualTypeOf<Resource<Pod>>();
  const untypedResource = { group: "a", version: "v1", kind: "B", plural: "bs", namespaced: true };
  expectTypeOf(defineResource(untypedResource)).toEqualTypeOf<Resource<KubeObject>>();
});

test("narrows an error with isNotFound and similar guards, and keeps the other fields of ApiError", () => {
  const error: unknown = new ApiError({ code: 404, reason: "NotFound" });
  if (isNotFound(error)) expectTypeOf(error.status.details).toEqualTypeOf<ApiError["status"]["details"]>();
  const answer = new ApiError({ code: 409 });
  if (!isConflict(answer)) expectTypeOf(answer).toEqualTypeOf<ApiError>();
});

function badChanges(pod: Frozen<Pod>) {
  // @ts-expect-error: read-only
  pod.spec = { containers: [] };
  if (!pod.metadata?.labels || !pod.spec?.containers[0]) return;
  // @ts-expect-error: read-only
  pod.metadata.labels.app = "a";
  // @ts-expect-error: read-only
  pod.spec.containers[0].image = "b";
  // @ts-expect-error: read-only
  pod.spec.containers[0] = { name: "a" };
  // @ts-expect-error: a read-only list
  pod.spec.containers.push({ name: "a" });
  // @ts-expect-error: a read-only list cannot be sorted
  pod.metadata.finalizers?.sort();
}

test("reads a frozen object like any other, and can change a copy", () => {
  expectTypeOf(badChanges).returns.toBeVoid();
  const frozen = {} as Frozen<Pod>;
  expectTypeOf(frozen).toExtend<Pod>();
  const draft: Pod = structuredClone(frozen);
  draft.metadata = { labels: { app: "a" } };
  expectTypeOf({ ...frozen, metadata: { ...frozen.metadata, labels: {} } }).toExtend<Pod>();
});
