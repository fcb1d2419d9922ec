import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { startSuite } from "../../controllers/suite.ts";
import { setupWebhookWithManager as setupConversion } from "../v1/memcached.webhook.ts";
import { setupWebhookWithManager } from "./memcached.webhook.ts";
import { memcacheds } from "./zz_generated.resources.ts";

test("a Memcached passes the webhooks", async () => {
  await using suite = await startSuite(
    (manager) => {
      setupWebhookWithManager(manager);
      setupConversion(manager);
    },
    { webhooks: ["config/webhook"] },
  );
  const namespace = await suite.cluster.namespace();
  const objects = suite.cluster.client.resource(memcacheds).namespace(namespace);

  // The server rejects the object until the webhooks answer.
  const created = await eventually(() =>
    objects.create({ metadata: { name: "sample" }, spec: { size: 20 } }),
  );

  expect(created.spec).toEqual({ size: 20, memory: 51 });
});
