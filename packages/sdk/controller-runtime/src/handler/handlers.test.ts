import { configMaps, deployments, nodes, type OwnerReference, pods } from "@operator-path/client";
import { expect, test } from "vitest";
import type { EnqueueOptions } from "../controller/request-queue.ts";
import { createLogger } from "../log/create-logger.ts";
import { keyOfRequest, type Request } from "../reconcile/request.ts";
import { genericEvent, type ObjectEvent } from "../source/object-event.ts";
import { unparsed } from "../source/testing/events.ts";
import { enqueueRequestForObject } from "./enqueue-request-for-object.ts";
import { enqueueRequestForOwner } from "./enqueue-request-for-owner.ts";
import { enqueueRequestsFromMapFunc } from "./enqueue-requests-from-map-func.ts";
import { type EventHandler, handlerFuncs } from "./event-handler.ts";

/** Returns the requests that a handler enqueues. */
async function enqueued<T extends object>(
  handler: EventHandler<T>,
  event: ObjectEvent<T>,
): Promise<string[]> {
  const keys: string[] = [];
  const add = (request: Request, _?: EnqueueOptions) => void keys.push(keyOfRequest(request));
  await handler(event, { add }, { signal: new AbortController().signal, log: createLogger() });
  return keys;
}

const reference = (kind: string, apiVersion: string, name: string, controller?: boolean): OwnerReference => ({
  ...{ kind, apiVersion, name, uid: `uid of ${name}` },
  ...(controller === undefined ? {} : { controller }),
});

test("enqueueRequestForObject enqueues the object without parsing it", async () => {
  expect(
    await enqueued(enqueueRequestForObject, unparsed("added", { namespace: "shop", name: "a" })),
  ).toEqual(["shop/a"]);
  expect(await enqueued(enqueueRequestForObject, unparsed("deleted", { name: "node-1" }))).toEqual([
    "node-1",
  ]);
  await expect(enqueued(enqueueRequestForObject, genericEvent({ repository: "x" }))).rejects.toThrow(
    "use enqueueRequestsFromMapFunc",
  );
});

test("enqueueRequestForOwner finds owners by group and kind, in any version, from metadata only", async () => {
  const event = unparsed("added", {
    ...{ namespace: "shop", name: "a" },
    ownerReferences: [
      reference("Deployment", "apps/v1", "one", true),
      reference("Deployment", "apps/v1beta2", "two"),
      reference("Deployment", "extensions/v1beta1", "other group"),
      reference("ReplicaSet", "apps/v1", "other kind"),
    ],
  });
  expect(await enqueued(enqueueRequestForOwner(deployments), event)).toEqual(["shop/one", "shop/two"]);
  expect(await enqueued(enqueueRequestForOwner(deployments, { onlyController: true }), event)).toEqual([
    "shop/one",
  ]);
  expect(await enqueued(enqueueRequestForOwner(pods), event)).toEqual([]);
});

test("enqueueRequestForOwner enqueues owners of the core group and cluster-scoped owners", async () => {
  const ownerReferences = [reference("Node", "v1", "node-1"), reference("ConfigMap", "v1", "settings")];
  const event = unparsed("added", { namespace: "shop", name: "a", ownerReferences });
  expect(await enqueued(enqueueRequestForOwner(nodes), event)).toEqual(["node-1"]);
  expect(await enqueued(enqueueRequestForOwner(configMaps), event)).toEqual(["shop/settings"]);
});

test("enqueueRequestForOwner enqueues the old and the new owner of an update once each", async () => {
  const owned = (name: string) => ({
    ...{ namespace: "shop", name: "a", ownerReferences: [reference("Deployment", "apps/v1", name, true)] },
  });
  const handler = enqueueRequestForOwner(deployments);
  expect(await enqueued(handler, unparsed("updated", owned("new"), owned("old")))).toEqual([
    ...["shop/old", "shop/new"],
  ]);
  expect(await enqueued(handler, unparsed("updated", owned("same"), owned("same")))).toEqual(["shop/same"]);
  expect(await enqueued(handler, unparsed("updated", { namespace: "shop" }, owned("old")))).toEqual([
    "shop/old",
  ]);
});

test("enqueueRequestsFromMapFunc enqueues the requests for the old and the new object once each", async () => {
  const handler = enqueueRequestsFromMapFunc<{ users: string[] }>(async ({ users }) =>
    users.map((name) => ({ namespace: "shop", name })),
  );
  const event = genericEvent({ users: ["b", "c", "b"] });
  expect(await enqueued(handler, event)).toEqual(["shop/b", "shop/c"]);
  expect(await enqueued(handler, { ...event, type: "updated", old: { users: ["a", "b"] } })).toEqual([
    ...["shop/a", "shop/b", "shop/c"],
  ]);
});

test("handlerFuncs calls the function of the event type, and ignores others", async () => {
  const handler = handlerFuncs({
    deleted: ({ key }, queue) => queue.add({ namespace: "was", name: key }),
    // The compiler knows that an update has a previous object.
    updated: ({ oldMetadata }, queue) => queue.add({ namespace: "was", name: oldMetadata.name ?? "" }),
  });
  expect(await enqueued(handler, unparsed("updated", { name: "a" }, { name: "old" }))).toEqual(["was/old"]);
  expect(await enqueued(handler, unparsed("deleted", { name: "a" }))).toEqual(["was/a"]);
  expect(await enqueued(handler, unparsed("added", { name: "a" }))).toEqual([]);
});

test("treats a request without a namespace as one for a cluster-scoped object", async () => {
  const map = enqueueRequestsFromMapFunc(() => [{ name: "node-1" } as Request]);
  expect(await enqueued(map, genericEvent({}))).toEqual(["node-1"]);
});

test("enqueues synchronously for a synchronous map function", () => {
  const added: Request[] = [];
  const context = { signal: new AbortController().signal, log: createLogger() };
  const queue = { add: (request: Request) => void added.push(request) };
  const map = enqueueRequestsFromMapFunc(() => [{ namespace: "a", name: "b" }]);
  expect(map(genericEvent({}), queue, context)).toBeUndefined();
  expect(added).toEqual([{ namespace: "a", name: "b" }]);
});
