import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type Pod, pods, systemClock } from "@operator-path/client";
import {
  type Client,
  createLogger,
  createScheme,
  mergeFrom,
  type ReconcileContext,
} from "@operator-path/controller-runtime";
import { createFakeClient, interceptClient } from "@operator-path/controller-runtime/testing";
import { createPatience } from "./patience.ts";
import { createReconciler } from "./reconcile.ts";
import { podbuggertools } from "./types.ts";

const request = { namespace: "shop", name: "tool" };
const tool = {
  ...{ apiVersion: "ualter.com/v1beta1", kind: "Podbuggertool", metadata: request },
  spec: { label: "app=payment", image: "busybox" },
};

function podWith(ready: "True" | "False") {
  return {
    ...{
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "shop", name: "payment", labels: { app: "payment" } },
    },
    spec: { containers: [{ name: "main", image: "payment:1.0.0" }] },
    status: { conditions: [{ type: "Ready", status: ready }] },
  };
}

/**
 * A reconciler in a cluster that is a Map. It reads the Pods of `cached`, and its patches of a Pod fail with
 * `refusal`, if they are given.
 */
function start(ready: "True" | "False", cached?: Pod[], refusal?: Error) {
  const cluster = createFakeClient({
    scheme: createScheme(podbuggertools),
    objects: [tool, podWith(ready)],
    statusSubresources: [podbuggertools],
  });
  const refusing = interceptClient(cluster, {
    subResourcePatch: (server, name, object, patch) =>
      name === "ephemeralcontainers" && refusal
        ? Promise.reject(refusal)
        : server.subResource(name).patch(object, patch),
  });
  const client: Client = {
    ...refusing,
    list: ((resource: typeof pods, options: object) =>
      resource === pods && cached
        ? Promise.resolve(cached)
        : cluster.list(resource, options)) as Client["list"],
  };
  const said: string[] = [];
  const recorder = {
    event: ({ kind }: { kind?: string }, _: string, reason: string) => void said.push(`${kind}: ${reason}`),
    flush: async () => {},
  };
  const reconcile = createReconciler({
    client,
    apiReader: client,
    recorder,
    patience: createPatience(systemClock),
  });
  const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;
  return { client: cluster, said, reconcile: () => reconcile(request, context) };
}

test("a ready Pod gets its tool, once", async () => {
  const { client, said, reconcile } = start("True");
  await reconcile();
  await reconcile();
  const pod = await client.get(pods, { namespace: "shop", name: "payment" });
  assert.deepEqual(
    pod.spec?.ephemeralContainers?.map(({ name }) => name),
    ["ephemeral-busybox"],
  );
  assert.deepEqual(said, ["Pod: ToolInstalled"]);
});

test("a Pod that is not ready is looked at again, and delays no other", async () => {
  const { client, reconcile } = start("False");
  const { requeueAfter = 0 } = await reconcile();
  assert.ok(requeueAfter > 119_000 && requeueAfter <= 120_000, `${requeueAfter} ms`);
  const pod = await client.get(pods, { namespace: "shop", name: "payment" });
  assert.equal(pod.spec?.ephemeralContainers, undefined);
});

/** A Pod to which another client adds a container of the same name, after the operator has read it. */
async function startBehind() {
  const cached: Pod[] = [];
  const started = start("True", cached);
  const key = { namespace: "shop", name: "payment" };
  const before = await started.client.get(pods, key);
  cached.push(before as Pod);
  const theirs = { name: "ephemeral-busybox", image: "strace" };
  const changed = { ...before, spec: { ...before.spec, ephemeralContainers: [theirs] } } as Pod;
  await started.client.subResource("ephemeralcontainers").patch(changed, mergeFrom(before));
  const images = async () =>
    (await started.client.get(pods, key)).spec?.ephemeralContainers?.map(({ image }) => image);
  const catchUp = async () => void cached.splice(0, 1, (await started.client.get(pods, key)) as Pod);
  return { ...started, images, catchUp };
}

test("a container that another client added a moment ago stays", async () => {
  const { reconcile, images, catchUp } = await startBehind();
  await reconcile().catch(() => {});
  assert.deepEqual(await images(), ["strace"]);
  await catchUp();
  await reconcile();
  assert.deepEqual((await images())?.toSorted(), ["busybox", "strace"]);
});

test("a conflict is no error, and the user need not read of it", async () => {
  const { reconcile, said } = await startBehind();
  await reconcile();
  assert.deepEqual(said, []);
});

test("a Pod that was deleted is no error", async () => {
  const cached: Pod[] = [];
  const { client, said, reconcile } = start("True", cached);
  const key = { namespace: "shop", name: "payment" };
  const pod = await client.get(pods, key);
  cached.push(pod as Pod);
  await client.delete(pod);
  await reconcile();
  assert.deepEqual(said, []);
});

test("any other error is an Event on the tool, and is tried again", async () => {
  const forbidden = new ApiError({ code: 403, reason: "Forbidden", message: "not yours" });
  const { said, reconcile } = start("True", undefined, forbidden);
  await assert.rejects(reconcile, /not yours/);
  assert.deepEqual(said, ["Podbuggertool: NotInstalled"]);
});
