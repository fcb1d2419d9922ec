import { events, type KubeObject, type Pod, pods } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { type Client, createLogger, ignoreNotFound, type ReconcileContext, type Result } from "@operator-path/controller-runtime";
import { checkWriteFaults, interceptClient } from "@operator-path/controller-runtime/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createPatience } from "../podbuggertool/src/patience.ts";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { createPatience as createPatienceOnRuntime } from "../podbuggertool-on-controller-runtime/src/patience.ts";
import { createFakeCluster, createOnInformers, createOnRuntime, createRecorderOn } from "./testing/reconcilers.ts";

// Both versions of the operator, one reconcile at a time, without a cluster.

const request = { namespace: "shop", name: "tool" };
const tool = {
  ...{ apiVersion: "ualter.com/v1beta1", kind: "Podbuggertool", metadata: request },
  spec: { label: "app=payment", image: "busybox" },
};
const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;

function pod(name: string, { ready = true, app = "payment" } = {}): Pod {
  return {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, labels: { app } } },
    spec: { containers: [{ name: "main", image: "payment:1.0.0" }] },
    status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

/** Does what a ReplicaSet and a kubelet do: the Pods of these names are there, and their containers run. */
async function keepRunning(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const key = { namespace: "shop", name };
    if (!(await client.get(pods, key).catch(ignoreNotFound))) await client.create(pod(name));
    const found = await client.get(pods, key);
    const ephemeralContainerStatuses = (found.spec?.ephemeralContainers ?? []).map(({ name, image = "" }) => ({
      ...{ name, image, imageID: "", ready: true, restartCount: 0, state: { running: {} } },
    }));
    await client.status.update({ ...found, status: { ...pod(name).status, ephemeralContainerStatuses } });
  }
}

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});

describe.each([
  ["on informers", createOnInformers, []],
  // It waits for the news of a conflict: the watch brings it, and with it the next reconcile.
  ["on controller-runtime", createOnRuntime, ["conflict"]],
] as const)("%s", (_, create, mayIgnore) => {
  test("a failed write is tried again, and changes nothing else", async () => {
    const writes = await checkWriteFaults(() => {
      const cluster = createFakeCluster([tool, pod("one"), pod("other", { app: "store" })]);
      const names = ["one"];
      return {
        client: cluster,
        resource: podbuggertools,
        request,
        reconciler: (client) => create(client, createRecorderOn(cluster)),
        others: (client) => keepRunning(client, names),
        steps: [
          async () => names.push("two"),
          async (client) => expect((await client.get(podbuggertools, request)).status?.installed).toBe(2),
        ],
        mayIgnore,
        outlives: true,
      };
    });
    expect(writes).toEqual([
      "patch Pod/ephemeralcontainers shop/one",
      "patch Podbuggertool/status shop/tool",
      "patch Podbuggertool/status shop/tool",
      "patch Pod/ephemeralcontainers shop/two",
      "patch Podbuggertool/status shop/tool",
    ]);
  });
});
