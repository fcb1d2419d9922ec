import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { events, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { addController } from "./controller.ts";
import { podbuggertools } from "./types.ts";

const namespace = "default";

/** Starts a cluster and the operator. No node runs in it: the test plays what a node would report. */
async function start(t: TestContext) {
  const cluster = await startTestCluster({ crds: [join(import.meta.dirname, "../crd.yaml")] });
  const { client } = cluster;
  await client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(podbuggertools),
    logger: createLogger({ level: "silent" }),
    metricsServer: { bindAddress: "0" },
  });
  addController(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
    await cluster.stop();
  });
  const podsHere = client.resource(pods).namespace(namespace);
  const toolsHere = client.resource(podbuggertools).namespace(namespace);
  const installed = async () => (await toolsHere.get("tool")).status?.installed;

  /** Creates a ready Pod in which a container of this tool runs. */
  async function createPod(owner: string): Promise<void> {
    const spec = { containers: [{ name: "main", image: "payment:1.0.0" }] };
    await podsHere.create({ metadata: { namespace, name: "payment", labels: { app: "payment" } }, spec });
    const env = [{ name: "PODBUGGERTOOL", value: owner }];
    const added = { spec: { ephemeralContainers: [{ name: "ephemeral-busybox", image: "busybox", env }] } };
    await podsHere.patch("payment", added as Pod, { type: "strategic", subresource: "ephemeralcontainers" });
    const state = { name: "ephemeral-busybox", image: "busybox", imageID: "", ready: false, restartCount: 0 };
    const status: Pod["status"] = {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      ephemeralContainerStatuses: [{ ...state, state: { running: {} } }],
    };
    await podsHere.patch("payment", { status }, { type: "merge", subresource: "status" });
  }

  /** Creates a tool, and waits until the operator has seen it. */
  async function createTool(): Promise<void> {
    const spec = { label: "app=payment", image: "busybox" };
    await toolsHere.create({ metadata: { namespace, name: "tool" }, spec });
    await eventually(async () => assert.equal(await installed(), 0));
  }
  return { client, podsHere, installed, createPod, createTool };
}

test("a change of a Pod wakes the tool that selects it", async (t) => {
  const { installed, createPod, createTool } = await start(t);
  await createTool();
  await createPod("tool");
  await eventually(async () => assert.equal(await installed(), 1), { timeout: 5_000 });
});

test("a Pod that loses its label wakes the tool that selected it", async (t) => {
  const { podsHere, installed, createPod, createTool } = await start(t);
  await createTool();
  await createPod("tool");
  await eventually(async () => assert.equal(await installed(), 1), { timeout: 5_000 });
  await podsHere.patch("payment", { metadata: { labels: { app: "other" } } }, { type: "merge" });
  await eventually(async () => assert.equal(await installed(), 0), { timeout: 5_000 });
});

test("a Pod with a container of a deleted tool wakes that tool", async (t) => {
  const { client, createPod } = await start(t);
  await createPod("deleted");
  const said = async () => {
    const { items } = await client.resource(events).namespace(namespace).list();
    return items.some(({ reason, message }) => reason === "ToolRemoved" && message?.startsWith("deleted "));
  };
  await eventually(async () => assert.equal(await said(), true), { timeout: 5_000 });
});
