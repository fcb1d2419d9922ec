import { deployments, services } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager } from "./ovhnginx.controller.ts";
import { startSuite } from "./suite.ts";
import type { Zone } from "./zone.ts";

/** A zone in memory. */
function memoryZone(): Zone & { names: Map<string, string> } {
  const names = new Map<string, string>();
  return {
    names,
    set: async (name, address) => void names.set(name, address),
    remove: async (name) => void names.delete(name),
  };
}

test("the page has an address and a name, and nothing is left of it in the end", async () => {
  const zone = memoryZone();
  await using suite = await startSuite((manager) => setupWithManager(manager, zone), { controllers: true });
  const namespace = await suite.cluster.namespace();
  const objects = suite.cluster.client.resource(ovhNginxes).namespace(namespace);

  await objects.create({ metadata: { name: "sample" }, spec: { replicaCount: 2, port: 8080 } });
  await eventually(async () => {
    const { status } = await objects.get("sample");
    expect(status).toMatchObject({ readyReplicas: 2, conditions: [{ type: "Available", status: "True" }] });
    expect([...zone.names]).toEqual([[`sample.${namespace}`, status?.address]]);
  });

  await objects.delete("sample");
  await eventually(async () => {
    const { client } = suite.cluster;
    expect((await objects.list()).items).toEqual([]);
    expect((await client.resource(deployments).namespace(namespace).list()).items).toEqual([]);
    expect((await client.resource(services).namespace(namespace).list()).items).toEqual([]);
  });
  expect([...zone.names]).toEqual([]);
});
