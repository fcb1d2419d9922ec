import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { trackCollections } from "@operator-path/faults";
import { expect, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";

// The reconciler's memory must not grow with the number of objects that have existed.

test("the reconciler keeps nothing of 100 deleted Memcacheds", async () => {
  using kept = trackCollections(new URL("../memcached-operator/", import.meta.url));
  // Imported afterwards, so that the module's own collections count too.
  const { createMemcachedReconciler } = await import(
    "../memcached-operator/controllers/memcached.controller.ts"
  );
  const client = createFakeClient({ scheme: createScheme(memcacheds), statusSubresources: [memcacheds] });
  const reconcile = createMemcachedReconciler({ client });
  const log = createLogger({ level: "silent" });
  for (let i = 0; i < 100; i++) {
    const request = { namespace: `shop-${i}`, name: `sample-${i}` };
    const object = {
      apiVersion: "cache.example.com/v1alpha1",
      kind: "Memcached",
      metadata: request,
      spec: { size: 1 },
    };
    const created = await client.create(object);
    // Reconciles create the Deployment, write the status, and find the object deleted.
    await reconcile(request, { log });
    await reconcile(request, { log });
    await client.delete(created);
    await reconcile(request, { log });
  }
  expect(await kept.size()).toBe(0);
});
