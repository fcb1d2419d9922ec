import type { ConfigMap } from "@operator-path/client";
import { expect, test } from "vitest";
import { startCachedClient } from "../cache/testing/cached-client.ts";
import { createObjectClient } from "../client/create-client.ts";
import { ignoreNotFound } from "../client/errors.ts";
import { createScheme } from "../client/scheme.ts";
import { installMemcached, type Memcached, memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createFakeClient } from "../testing/index.ts";
import { createFinalizers, writeFinalized } from "./finalizers.ts";

type Thing = ConfigMap & { status?: { phase: string } };

const thing = (finalizers: string[], deletionTimestamp?: string): Thing => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", finalizers, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
});
const now = "2026-01-01T00:00:00Z";

test("adds every finalizer to a live object once", async () => {
  const finalizers = createFinalizers<Thing>();
  finalizers.register("example.com/a", () => {});
  finalizers.register("example.com/b", () => {});
  expect(() => finalizers.register("example.com/a", () => {})).toThrow(
    'finalizer for key "example.com/a" already registered',
  );
  const { object, updated, statusUpdated } = await finalizers.finalize(thing(["example.com/b", "other"]));
  expect(object.metadata?.finalizers).toEqual(["example.com/b", "other", "example.com/a"]);
  expect([updated, statusUpdated]).toEqual([true, false]);
  expect(await finalizers.finalize(object)).toEqual({ object, updated: false, statusUpdated: false });
});

test("removes finalizers that succeed from a deleted object, and keeps and names those that fail", async () => {
  const ran: string[] = [];
  const finalizers = createFinalizers<Thing>();
  finalizers.register("example.com/absent", () => void ran.push("absent"));
  finalizers.register("example.com/good", async (object) => {
    ran.push("good");
    return { object: { ...object, status: { phase: "Cleaned" } } };
  });
  finalizers.register("example.com/bad", () => {
    ran.push("bad");
    throw new Error("no bucket");
  });
  finalizers.register("example.com/slow", (object) => ({
    object: { ...object, status: { phase: `${object.status?.phase}, waiting` } },
    error: new Error("not yet"),
  }));
  const given = thing(["example.com/good", "example.com/bad", "foreign", "example.com/slow"], now);
  const { object, updated, statusUpdated, error } = await finalizers.finalize(given);
  expect(ran).toEqual(["good", "bad"]);
  expect(object.metadata?.finalizers).toEqual(["example.com/bad", "foreign", "example.com/slow"]);
  expect(object.status).toEqual({ phase: "Cleaned, waiting" });
  expect([updated, statusUpdated]).toEqual([true, true]);
  expect(error?.message).toBe(
    'finalizer "example.com/bad" failed: no bucket; finalizer "example.com/slow" failed: not yet',
  );
  expect(given.metadata?.finalizers).toHaveLength(4);
});

test("adds no finalizer to an object that is being deleted", async () => {
  const finalizers = createFinalizers<Thing>();
  finalizers.register("example.com/a", () => {});
  const going = thing(["foreign"], now);
  expect(await finalizers.finalize(going)).toMatchObject({ updated: false, statusUpdated: false });
});

test("writes status and other changes, then throws the failures, on a server and on the fake client", async () => {
  const { directConnection } = await startCachedClient();
  await installMemcached(directConnection);
  const scheme = createScheme(memcacheds);
  for (const client of [
    createObjectClient(directConnection, { scheme }),
    createFakeClient({ scheme, statusSubresources: [memcacheds] }),
  ]) {
    const finalizers = createFinalizers<Memcached>();
    let cleaned = false;
    finalizers.register("example.com/status", (object) => ({ object: { ...object, status: { nodes: [] } } }));
    finalizers.register("example.com/bucket", (object) => {
      if (!cleaned)
        return { object: { ...object, status: { nodes: ["left"] } }, error: new Error("no bucket") };
    });
    const key = { namespace: "default", name: "a" };
    const get = () => client.get(memcacheds, key);
    const reconcile = async () => writeFinalized(client, await finalizers.finalize(await get()));
    await client.create(memcached("a"));
    await reconcile();
    expect((await get()).metadata?.finalizers).toEqual(["example.com/status", "example.com/bucket"]);
    await client.delete(await get());
    await expect(reconcile()).rejects.toThrow('finalizer "example.com/bucket" failed: no bucket');
    expect(await get()).toMatchObject({
      metadata: { finalizers: ["example.com/bucket"] },
      status: { nodes: ["left"] },
    });
    cleaned = true;
    await reconcile();
    expect(await get().catch(ignoreNotFound)).toBeUndefined();
  }
});
