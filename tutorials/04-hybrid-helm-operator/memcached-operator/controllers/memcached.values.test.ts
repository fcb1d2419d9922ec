import type { KubeObject } from "@operator-path/client";
import { createFakeClient, interceptClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { valuesFor } from "./memcached.values.ts";

const objects: KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { team: "checkout" } } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shared" } },
];

function valuesIn(namespace: string, spec: object, client = createFakeClient({ objects })) {
  const memcached = {
    apiVersion: "cache.my.domain/v1alpha1",
    kind: "Memcached",
    metadata: { namespace, name: "sample" },
    spec,
  };
  return valuesFor(client, memcached);
}

test("each Pod gets the team of its namespace", async () => {
  expect(await valuesIn("shop", { replicaCount: 2 })).toEqual({
    replicaCount: 2,
    podLabels: { team: "checkout" },
  });
});

test("other labels of the spec stay", async () => {
  expect(await valuesIn("shop", { podLabels: { tier: "cache" } })).toEqual({
    podLabels: { tier: "cache", team: "checkout" },
  });
});

test("the namespace's team wins over one in the spec", async () => {
  expect(await valuesIn("shop", { podLabels: { team: "other" } })).toEqual({
    podLabels: { team: "checkout" },
  });
});

test("without a team, the values are the spec", async () => {
  expect(await valuesIn("shared", { replicaCount: 1 })).toEqual({ replicaCount: 1 });
});

test("rejects while the namespace cannot be read", async () => {
  const client = createFakeClient({ objects });
  const unreadable = interceptClient(client, {
    get: () => Promise.reject(new Error("connect ECONNREFUSED")),
  });
  await expect(valuesIn("shop", {}, unreadable)).rejects.toThrow("ECONNREFUSED");
});
