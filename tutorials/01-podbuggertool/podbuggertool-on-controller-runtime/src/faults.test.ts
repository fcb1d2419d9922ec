import assert from "node:assert/strict";
import { test } from "node:test";
import { events, pods, systemClock } from "@operator-path/client";
import { createScheme } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient } from "@operator-path/controller-runtime/testing";
import { createPatience } from "./patience.ts";
import { createReconciler } from "./reconcile.ts";
import { podbuggertools } from "./types.ts";

// A request can fail in many ways: another client wrote first, the server has a problem, the object is already deleted.
// Here each request of the reconciler fails once in each way. Afterwards the cluster must look as if it had not.

const request = { namespace: "shop", name: "tool" };
const tool = {
  ...{ apiVersion: "ualter.com/v1beta1", kind: "Podbuggertool", metadata: request },
  spec: { label: "app=payment", image: "busybox" },
};
const pod = {
  ...{
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "shop", name: "payment", labels: { app: "payment" } },
  },
  spec: { containers: [{ name: "main", image: "payment:1.0.0" }] },
  status: { conditions: [{ type: "Ready", status: "True" }] },
};
const recorder = { event: () => {}, flush: async () => {} };

test("a failed request is tried again, and changes nothing else", async () => {
  const writes = await checkFaults(() => {
    const client = createFakeClient({
      scheme: createScheme(podbuggertools),
      objects: [tool, pod],
      statusSubresources: [podbuggertools],
      // `announceRemoval` looks for Events by these.
      indexes: ["involvedObject.uid", "reason"].map((field) => ({
        resource: events,
        field,
        index: () => [],
      })),
    });
    const patience = createPatience(systemClock);
    return {
      client,
      resource: podbuggertools,
      request,
      reconciler: (client) => createReconciler({ client, apiReader: client, recorder, patience }),
      // A ReplicaSet replaces the Pod.
      others: async (client) => {
        if ((await client.list(pods, { namespace: "shop" })).length > 0) return;
        await client.status.update({ ...(await client.create(pod)), status: pod.status });
      },
      // The watch brings news of the Pod that was changed, and with it the next reconcile.
      mayIgnore: (fault, request) => fault === "conflict" && request.startsWith("patch Pod/"),
      // Nothing takes the container away again.
      outlives: true,
    };
  });
  assert.deepEqual(writes, [
    "patch Pod/ephemeralcontainers shop/payment",
    "patch Podbuggertool/status shop/tool",
  ]);
});
