import { pods } from "@operator-path/client";
import { type Client, ignoreNotFound } from "@operator-path/controller-runtime";
import { checkFaults, type Fault } from "@operator-path/controller-runtime/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { pod, request, tool } from "./testing/objects.ts";
import {
  createFakeCluster,
  createOnInformers,
  createOnRuntime,
  createRecorderOn,
} from "./testing/reconcilers.ts";

// Both versions of the operator, one reconcile at a time, without a cluster.

/** Does what a ReplicaSet and a kubelet do: the Pods of these names are there, and their containers run. */
async function keepRunning(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const key = { namespace: "shop", name };
    if (!(await client.get(pods, key).catch(ignoreNotFound))) await client.create(pod(name));
    const found = await client.get(pods, key);
    const ephemeralContainerStatuses = (found.spec?.ephemeralContainers ?? []).map(
      ({ name, image = "" }) => ({
        ...{ name, image, imageID: "", ready: true, restartCount: 0, state: { running: {} } },
      }),
    );
    await client.status.update({ ...found, status: { ...pod(name).status, ephemeralContainerStatuses } });
  }
}

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});

test.each([
  ["on informers", createOnInformers, () => false],
  // The watch brings news of the Pod that was changed, and with it the next reconcile.
  [
    "on controller-runtime",
    createOnRuntime,
    (fault: Fault, request: string) => fault === "conflict" && request.startsWith("patch Pod/"),
  ],
] as const)("%s: a failed request is tried again, and changes nothing else", async (_, create, mayIgnore) => {
  const writes = await checkFaults(() => {
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
