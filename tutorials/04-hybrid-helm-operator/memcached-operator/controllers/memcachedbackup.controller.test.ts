import { pods } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager } from "./memcachedbackup.controller.ts";
import { startSuite } from "./suite.ts";

test("there are as many Pods as the size, and the status lists them", async () => {
  await using suite = await startSuite(setupWithManager, { controllers: true });
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  const objects = client.resource(memcachedBackups).namespace(namespace);
  const settled = (size: number) =>
    eventually(async () => {
      const { items } = await client.resource(pods).namespace(namespace).list();
      const names = items.map(({ metadata }) => metadata?.name).sort();
      expect(names).toHaveLength(size);
      expect((await objects.get("sample")).status?.nodes).toEqual(names);
    });

  await objects.create({ metadata: { name: "sample" }, spec: { size: 2 } });
  await settled(2);
  await objects.patch("sample", { spec: { size: 1 } }, { type: "merge" });
  await settled(1);
});
