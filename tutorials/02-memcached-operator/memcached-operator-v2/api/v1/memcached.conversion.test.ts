import { eventually, fuzzRoundTrip } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { startSuite } from "../../controllers/suite.ts";
import { memcacheds as v1alpha1 } from "../v1alpha1/zz_generated.resources.ts";
import { converter } from "./memcached.conversion.ts";
import { setupWebhookWithManager } from "./memcached.webhook.ts";
import { memcacheds } from "./zz_generated.resources.ts";

const versions = ["v1", "v1alpha1"];

test("an object comes back from every other version as it was", async () => {
  await fuzzRoundTrip(converter, {
    generate(random) {
      const version = versions[Math.floor(random() * versions.length)];
      const pods = Math.floor(random() * 10);
      return {
        apiVersion: `cache.example.com/${version}`,
        kind: "Memcached",
        metadata: { name: "sample", namespace: "default" },
        spec: version === "v1" ? { replicas: pods, whenFull: "Error" } : { size: pods, memory: 64 },
      };
    },
  });
});

test("the API server shows a Memcached of v1alpha1 as v1", async () => {
  await using suite = await startSuite(setupWebhookWithManager, { webhooks: [] });
  const { client } = suite.cluster;
  const namespace = await suite.cluster.namespace();
  const objects = client.resource(v1alpha1).namespace(namespace);
  const hubs = client.resource(memcacheds).namespace(namespace);

  // Requests may fail until the webhook answers.
  const created = await eventually(() => objects.create({ metadata: { name: "sample" }, spec: { size: 3 } }));
  const shown = await eventually(() => hubs.get("sample"));
  const { spec } = (await converter.convert(created, "cache.example.com/v1")) as typeof shown;
  expect(shown.spec).toEqual(spec);
});
