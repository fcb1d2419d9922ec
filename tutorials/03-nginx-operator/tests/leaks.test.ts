import {
  createLogger,
  createScheme,
  type Manager,
  type ReconcileContext,
  Registry,
} from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { trackCollections } from "@operator-path/faults";
import { expect, test } from "vitest";
import { ovhNginxes } from "../nginx-operator/api/v1/zz_generated.resources.ts";

// What the reconciler keeps between reconciles must not grow with the objects that it has ever seen.

test("nothing is kept of 100 OvhNginxes that came and went", async () => {
  using kept = trackCollections(new URL("../nginx-operator/", import.meta.url));
  // Imported afterwards, so that the module's own collections count, too.
  const { createOvhNginxReconciler } = await import("../nginx-operator/controllers/ovhnginx.controller.ts");
  const client = createFakeClient({ scheme: createScheme(ovhNginxes), statusSubresources: [ovhNginxes] });
  const metrics = new Registry();
  const zone = { set: async () => {}, remove: async () => {} };
  const reconcile = createOvhNginxReconciler({ client, metrics } as Manager, zone);
  const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;
  for (let i = 0; i < 100; i++) {
    const request = { namespace: `shop-${i}`, name: `sample-${i}` };
    const object = {
      apiVersion: "tutorials.ovhcloud.com/v1",
      kind: "OvhNginx",
      metadata: request,
      spec: { replicaCount: 1, port: 80 },
    };
    const created = await client.create(object);
    // The finalizer, the rest, the deletion, and the news that it is gone.
    await reconcile(request, context);
    await reconcile(request, context);
    await client.delete(created);
    await reconcile(request, context);
    await reconcile(request, context);
  }
  expect(await kept.size()).toBe(0);
  const series = (await metrics.getMetricsAsJSON()).flatMap(({ values }) => values);
  expect(series).toEqual([]);
});
