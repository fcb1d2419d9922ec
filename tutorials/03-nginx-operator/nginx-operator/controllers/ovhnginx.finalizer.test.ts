import { services } from "@operator-path/client";
import { createScheme, type Manager, type ReconcileContext, Registry } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { createOvhNginxReconciler } from "./ovhnginx.controller.ts";
import { log, request, sample } from "./sample.ts";
import type { Zone } from "./zone.ts";

// A fake cluster with one OvhNginx, and a zone in memory. Each test says what the zone sees of the cluster.

function start() {
  const client = createFakeClient({
    scheme: createScheme(ovhNginxes),
    objects: [sample()],
    statusSubresources: [ovhNginxes],
  });
  const names = new Map<string, string>();
  const zone: Zone = {
    set: async (name, address) => void names.set(name, address),
    remove: async (name) => void names.delete(name),
  };
  const reconcile = createOvhNginxReconciler({ client, metrics: new Registry() } as Manager, zone);
  /** Reconciles a few times, as the operator would after its own writes. */
  const settle = async () => {
    for (let i = 0; i < 4; i++) await reconcile(request, { log } as ReconcileContext);
  };
  const finalizers = async () => (await client.list(ovhNginxes))[0]?.metadata?.finalizers ?? [];
  /** Gives the Service an address, so that the OvhNginx gets a name. */
  const balance = async () => {
    await settle();
    const service = await client.get(services, request);
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    await client.status.update({ ...service, status });
    await settle();
  };
  return { client, names, zone, settle, balance, finalizers };
}

test("an OvhNginx has a finalizer before it has a name", async () => {
  const { names, zone, balance, finalizers } = start();
  const seen: number[] = [];
  zone.set = async (name, address) => {
    seen.push((await finalizers()).length);
    names.set(name, address);
  };
  await balance();
  expect([...names]).toEqual([["sample.test", "192.0.2.1"]]);
  expect(new Set(seen)).toEqual(new Set([1]));
});

test("the name goes first, and then the OvhNginx", async () => {
  const { client, names, zone, settle, balance, finalizers } = start();
  const { remove } = zone;
  const seen: number[] = [];
  await balance();
  zone.remove = async (name) => {
    seen.push((await finalizers()).length);
    await remove(name);
  };
  await client.delete(await client.get(ovhNginxes, request));
  await settle();
  expect([...names]).toEqual([]);
  expect(await client.list(ovhNginxes)).toEqual([]);
  expect(seen[0]).toBe(1);
});

test("an OvhNginx stays while its name cannot be removed", async () => {
  const { client, names, zone, settle, balance } = start();
  const { remove } = zone;
  await balance();
  zone.remove = () => Promise.reject(new Error("the provider is down"));
  await client.delete(await client.get(ovhNginxes, request));
  await expect(settle()).rejects.toThrow("the provider is down");
  expect(await client.list(ovhNginxes)).toHaveLength(1);
  zone.remove = remove;
  await settle();
  expect({ names: [...names], objects: await client.list(ovhNginxes) }).toEqual({ names: [], objects: [] });
});
