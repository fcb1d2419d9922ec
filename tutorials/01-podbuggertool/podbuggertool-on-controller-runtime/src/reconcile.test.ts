import assert from "node:assert/strict";
import { test } from "node:test";
import { pods, systemClock } from "@operator-path/client";
import { createLogger, createScheme, type ReconcileContext } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
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

/** A reconciler in a cluster that is a Map. */
function start(ready: "True" | "False") {
  const client = createFakeClient({
    scheme: createScheme(podbuggertools),
    objects: [tool, podWith(ready)],
    statusSubresources: [podbuggertools],
  });
  const said: string[] = [];
  const recorder = {
    event: (_: object, __: string, reason: string) => void said.push(reason),
    flush: async () => {},
  };
  const reconcile = createReconciler({
    client,
    apiReader: client,
    recorder,
    patience: createPatience(systemClock),
  });
  const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;
  return { client, said, reconcile: () => reconcile(request, context) };
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
  assert.deepEqual(said, ["ToolInstalled"]);
});

test("a Pod that is not ready is looked at again, and nobody waits for it", async () => {
  const { client, reconcile } = start("False");
  const { requeueAfter = 0 } = await reconcile();
  assert.ok(requeueAfter > 119_000 && requeueAfter <= 120_000, `${requeueAfter} ms`);
  const pod = await client.get(pods, { namespace: "shop", name: "payment" });
  assert.equal(pod.spec?.ephemeralContainers, undefined);
});
