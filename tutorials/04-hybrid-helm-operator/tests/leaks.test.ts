import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { trackCollections } from "@operator-path/faults";
import { expect, test } from "vitest";
import { memcachedBackups } from "../memcached-operator/api/v1/zz_generated.resources.ts";

// What the reconciler keeps between reconciles must not grow with the objects that it has ever seen.

test("nothing is kept of 100 MemcachedBackups that came and went", async () => {
  using kept = trackCollections(new URL("../memcached-operator/", import.meta.url));
  // Imported afterwards, so that the module's own collections count, too.
  const { createMemcachedBackupReconciler } = await import(
    "../memcached-operator/controllers/memcachedbackup.controller.ts"
  );
  const client = createFakeClient({
    scheme: createScheme(memcachedBackups),
    statusSubresources: [memcachedBackups],
  });
  const reconcile = createMemcachedBackupReconciler({ client });
  const log = createLogger({ level: "silent" });
  for (let i = 0; i < 100; i++) {
    const request = { namespace: `shop-${i}`, name: `sample-${i}` };
    const object = {
      apiVersion: "cache.my.domain/v1",
      kind: "MemcachedBackup",
      metadata: request,
      spec: { size: 1 },
    };
    const created = await client.create(object);
    // The Deployment, the status, and the news that it is gone.
    await reconcile(request, { log });
    await reconcile(request, { log });
    await client.delete(created);
    await reconcile(request, { log });
  }
  expect(await kept.size()).toBe(0);
});
