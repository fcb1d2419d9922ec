import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isConflict, type Pod, pods, serviceAccounts, systemClock } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createInformerFactory } from "@operator-path/informers";
import { createReconciler } from "./reconcile.ts";
import { podbuggertools } from "./types.ts";

const namespace = "default";
const tool = { metadata: { namespace, name: "tool" }, spec: { label: "app=payment", image: "busybox" } };

const earlier = { name: "earlier", image: "busybox" };
const ready: Pod["status"] = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

function podOf(name: string, labels: Record<string, string>): Pod {
  return {
    metadata: { namespace, name, labels },
    spec: { containers: [{ name: "main", image: "payment:1.0.0" }] },
  };
}

/** Starts a cluster with the tool and a ready Pod "one", and a reconcile whose cache stays as it is now. */
async function start(t: TestContext, image = "busybox") {
  const cluster = await startTestCluster({ crds: [join(import.meta.dirname, "../crd.yaml")] });
  t.after(() => cluster.stop());
  await cluster.client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const inCluster = cluster.client.resource(pods).namespace(namespace);
  await cluster.client.resource(podbuggertools).create({ ...tool, spec: { ...tool.spec, image } });
  const created = await inCluster.create(podOf("one", { app: "payment" }));
  const { metadata } = await inCluster.updateStatus({ ...created, status: ready });
  // A Pod that was debugged before.
  const spec = { ...created.spec, ephemeralContainers: [earlier] };
  await inCluster.updateSubresource("one", "ephemeralcontainers", { ...created, metadata, spec });

  const informers = createInformerFactory(cluster.client);
  const podLister = informers.informer(pods).lister;
  const toolLister = informers.informer(podbuggertools).lister;
  const stop = new AbortController();
  informers.start(stop.signal);
  await informers.waitForSync();
  stop.abort();
  await informers.shutdown();

  const events: string[] = [];
  const messages: string[] = [];
  const recorder = {
    event({ metadata }: { metadata?: { name?: string } }, type: string, reason: string, message: string) {
      events.push(`${metadata?.name}: ${type} ${reason}`);
      messages.push(message);
    },
    flush: () => Promise.resolve(),
  };
  const patience = { left: () => undefined, forget: () => {} };
  const surroundings = {
    client: cluster.client,
    podLister,
    toolLister,
    recorder,
    patience,
    clock: systemClock,
  };
  const reconcile: (key: string, signal: AbortSignal) => Promise<unknown> = createReconciler(surroundings);
  return {
    inCluster,
    events,
    messages,
    reconcile: () => reconcile(`${namespace}/tool`, t.signal),
    containers: async () => (await inCluster.get("one")).spec?.ephemeralContainers ?? [],
  };
}

test("adds the container that the tool asks for", async (t) => {
  const { reconcile, containers, events } = await start(t);
  await reconcile();
  const all = await containers();
  assert.ok(all.some(({ name }) => name === "earlier"));
  const [container, ...others] = all.filter(({ name }) => name !== "earlier");
  assert.equal(container?.image, "busybox");
  assert.equal(container?.targetContainerName, "main");
  assert.deepEqual(container?.env, [{ name: "PODBUGGERTOOL", value: "tool" }]);
  assert.equal(others.length, 0);
  assert.deepEqual(events, ["one: Normal ToolInstalled"]);
});

test("does not touch a new Pod with the name of the one in the cache", async (t) => {
  const { inCluster, reconcile, containers, events } = await start(t);
  await inCluster.delete("one", { gracePeriodSeconds: 0 });
  await inCluster.create(podOf("one", {}));
  await reconcile().catch((error) => assert.ok(isConflict(error), `expected 409 Conflict, got ${error}`));
  assert.deepEqual(await containers(), []);
  assert.deepEqual(events, []);
});

test("changes nothing if the Pod is newer than the cache", async (t) => {
  const { inCluster, reconcile, containers, events } = await start(t);
  await inCluster.patch("one", { metadata: { labels: { app: "other" } } }, { type: "merge" });
  await reconcile().catch((error) => assert.ok(isConflict(error), `expected 409 Conflict, got ${error}`));
  assert.equal((await containers()).length, 1);
  assert.deepEqual(events, []);
});

test("has nothing to do for a Pod that is deleted", async (t) => {
  const { inCluster, reconcile, events } = await start(t);
  await inCluster.delete("one", { gracePeriodSeconds: 0 });
  await reconcile();
  assert.deepEqual(events, []);
});

test("records an Event on the tool if the server refuses the container", async (t) => {
  // The server accepts no blank at the end of an image.
  const { reconcile, containers, events, messages } = await start(t, "busybox ");
  await assert.rejects(reconcile, (error: Error) => {
    assert.match(
      error.message,
      /whitespace/,
      `expected that the server rejects the image "busybox ", got ${error}`,
    );
    return true;
  });
  assert.equal((await containers()).length, 1);
  assert.deepEqual(events, ["tool: Warning NotInstalled"]);
  assert.match(messages[0] ?? "", /^Pod one: .*whitespace/s);
});
