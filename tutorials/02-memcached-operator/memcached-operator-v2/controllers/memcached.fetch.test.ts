import {
  createLogger,
  createScheme,
  type Manager,
  type ReconcileContext,
} from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "./memcached.controller.ts";

const request = { namespace: "default", name: "sample" };
const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;
const scheme = createScheme(memcacheds);

test("a Memcached that does not exist is no error", async () => {
  const client = createFakeClient({ scheme });
  const reconcile = createMemcachedReconciler({ client } as Manager);
  expect((await reconcile(request, context)) ?? {}).toEqual({});
});

test("a failed read is an error, so that the request is retried", async () => {
  const get = () => Promise.reject(new Error("the server is down"));
  const client = createFakeClient({ scheme, interceptors: { get } });
  const reconcile = createMemcachedReconciler({ client } as Manager);
  await expect((async () => reconcile(request, context))()).rejects.toThrow("the server is down");
});
