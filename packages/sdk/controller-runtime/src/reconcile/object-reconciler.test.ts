import { expect, test } from "vitest";
import { createScheme } from "../client/scheme.ts";
import { type Memcached, memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createFakeClient } from "../testing/fake/fake-client.ts";
import { asReconciler } from "./object-reconciler.ts";
import type { ReconcileContext } from "./reconciler.ts";

const context = { signal: new AbortController().signal } as ReconcileContext;
const request = { namespace: "default", name: "sample" };

test("reconciles the object itself, and nothing when it is deleted", async () => {
  const scheme = createScheme(memcacheds);
  const client = createFakeClient({ scheme, objects: [memcached("sample", 3)] });
  const seen: [Memcached, ReconcileContext][] = [];
  const { reconcile } = asReconciler(client, memcacheds, (object, own) => {
    seen.push([object, own]);
    return { requeueAfter: 5 };
  });
  expect(await reconcile(request, context)).toEqual({ requeueAfter: 5 });
  expect(seen).toMatchObject([[{ metadata: { name: "sample" }, spec: { size: 3 } }, context]]);
  expect(await reconcile({ ...request, name: "gone" }, context)).toBeUndefined();
  expect(seen).toHaveLength(1);
});

test("fails the reconcile for any other error", async () => {
  const refuse = () => Promise.reject(new Error("out of reach"));
  const client = createFakeClient({ scheme: createScheme(memcacheds), interceptors: { get: refuse } });
  const { reconcile } = asReconciler(client, memcacheds, () => undefined);
  await expect(reconcile(request, context)).rejects.toThrow("out of reach");
});
