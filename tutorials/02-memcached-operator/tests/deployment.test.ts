import { deployments } from "@operator-path/client";
import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "../memcached-operator/controllers/memcached.controller.ts";

// This test is not in the project, because a copy with another kind runs another workload.

const request = { namespace: "shop", name: "sample" };

test("the Deployment selects its own Pods, and they run memcached", async () => {
  const sample = {
    apiVersion: "cache.example.com/v1alpha1",
    kind: "Memcached",
    metadata: request,
    spec: { size: 1 },
  };
  const client = createFakeClient({ scheme: createScheme(memcacheds), objects: [sample] });
  await createMemcachedReconciler({ client })(request, { log: createLogger({ level: "silent" }) });
  const { spec } = await client.get(deployments, request);
  const labels = { app: "memcached", memcached_cr: "sample" };
  expect(spec).toMatchObject({
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  });
  expect(spec?.template.spec?.containers).toMatchObject([
    {
      name: "memcached",
      image: expect.stringMatching(/^memcached:/),
      command: ["memcached", "--memory-limit=64", "-o", "modern", "-v"],
      ports: [{ name: "memcached", containerPort: 11211 }],
      // This is the image's user memcached.
      securityContext: { runAsUser: 11211 },
    },
  ]);
});
