import { pods } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager } from "./memcached.controller.ts";
import { startSuite } from "./suite.ts";

test("there are as many Pods as the size, and the status lists them", async () => {
  await using suite = await startSuite(setupWithManager, { controllers: true });
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  const objects = client.resource(memcacheds).namespace(namespace);
  const settled = (size: number) =>
    eventually(async () => {
      const { items } = await client.resource(pods).namespace(namespace).list();
      const names = items.map(({ metadata }) => metadata?.name).sort();
      expect(names).toHaveLength(size);
      expect((await objects.get("sample")).status?.nodes).toEqual(names);
    });

  await objects.create({ metadata: { name: "sample" }, spec: { replicas: 1 } });
  await settled(1);
  await objects.patch("sample", { spec: { replicas: 3 } }, { type: "merge" });
  await settled(3);
});
