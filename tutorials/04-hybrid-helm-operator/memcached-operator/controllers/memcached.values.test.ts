import type { KubeObject } from "@operator-path/client";
import { createFakeClient, interceptClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { valuesFor } from "./memcached.values.ts";

const objects: KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { team: "checkout" } } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "nobodys" } },
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

test("each Pod has the team of its namespace", async () => {
  expect(await valuesIn("shop", { replicaCount: 2 })).toEqual({
    replicaCount: 2,
    podLabels: { team: "checkout" },
  });
});

test("what the spec says of the Pods' labels stays", async () => {
  expect(await valuesIn("shop", { podLabels: { tier: "cache" } })).toEqual({
    podLabels: { tier: "cache", team: "checkout" },
  });
});

test("a team in the spec does not count", async () => {
  expect(await valuesIn("shop", { podLabels: { team: "other" } })).toEqual({ podLabels: { team: "checkout" } });
});

test("in a namespace of no team the values are the spec", async () => {
  expect(await valuesIn("nobodys", { replicaCount: 1 })).toEqual({ replicaCount: 1 });
});

test("while the namespace cannot be read there are no values", async () => {
  const client = createFakeClient({ objects });
  const unreadable = interceptClient(client, {
    get: () => Promise.reject(new Error("connect ECONNREFUSED")),
  });
  await expect(valuesIn("shop", {}, unreadable)).rejects.toThrow("ECONNREFUSED");
});
