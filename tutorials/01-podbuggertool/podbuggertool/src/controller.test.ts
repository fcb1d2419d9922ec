import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type KubeObject, type Pod, pods, type Resource, serviceAccounts } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import {
  createInformerFactory,
  type EventHandler,
  type InformerFactory,
  type SharedInformer,
} from "@operator-path/informers";
import { createController } from "./controller.ts";
import { podbuggertools } from "./types.ts";

const namespace = "default";
const tool = { metadata: { namespace, name: "tool" }, spec: { label: "app=payment", image: "busybox" } };

/** Starts a cluster and a controller. No node runs in it: the test plays what a node would report. */
async function start(t: TestContext) {
  const cluster = await startTestCluster({ crds: [join(import.meta.dirname, "../crd.yaml")] });
  await cluster.client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const informers = createInformerFactory(cluster.client);
  const recorder = { event: () => {}, flush: () => Promise.resolve() };
  const { watched, reconciled } = recordReads(informers);
  const controller = createController(cluster.client, watched, recorder);
  const stop = new AbortController();
  informers.start(stop.signal);
  await informers.waitForSync();
  const running = controller.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await Promise.all([running, informers.shutdown()]);
    await cluster.stop();
  });

  const podsOf = cluster.client.resource(pods).namespace(namespace);
  const toolsOf = cluster.client.resource(podbuggertools).namespace(namespace);
  await toolsOf.create(tool);
  const installed = async () => (await toolsOf.get("tool")).status?.installed;
  await until(installed, 0);
  return { podsOf, toolsOf, installed, reconciled };
}

/** Records which tools `reconcile` reads. A read of a handler does not count: it may precede `queue.add`. */
function recordReads(informers: InformerFactory) {
  const reconciled = new Set<string>();
  let inHandler = false;
  const marked = <T extends KubeObject>(handler: EventHandler<T>): EventHandler<T> => {
    const calls = Object.entries(handler).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        inHandler = true;
        try {
          return call(...args);
        } finally {
          inHandler = false;
        }
      },
    ]);
    return Object.fromEntries(calls);
  };
  const informer = <T extends KubeObject>(resource: Resource<T>): SharedInformer<T> => {
    const own = informers.informer(resource);
    const get = (key: string) => {
      if (resource.plural === podbuggertools.plural && !inHandler) reconciled.add(key);
      return own.lister.get(key);
    };
    const addEventHandler = (handler: EventHandler<T>) => own.addEventHandler(marked(handler));
    return { ...own, lister: { ...own.lister, get }, addEventHandler };
  };
  return { watched: { ...informers, informer }, reconciled };
}

/** Waits for that value, and fails with the last one. */
async function until<T>(
  read: () => Promise<T>,
  wanted: T,
  what = "the tool's status.installed",
): Promise<void> {
  for (let tries = 0; (await read()) !== wanted && tries < 200; tries++) await sleep(10);
  const last = await read();
  assert.equal(last, wanted, `${what} must become ${wanted}, and is still ${last}`);
}

/** A Pod in which the tool of this name runs. */
function podOf(name: string, owner: string): Pod {
  const metadata = { namespace, name, labels: { app: "payment" } };
  const container = { name: "main", image: "payment:1.0.0" };
  const env = [{ name: "PODBUGGERTOOL", value: owner }];
  const ephemeral = { name: "ephemeral-busybox", image: "busybox", env };
  const state = { name: ephemeral.name, image: "busybox", imageID: "", ready: false, restartCount: 0 };
  return {
    metadata,
    spec: { containers: [container], ephemeralContainers: [ephemeral] },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      ephemeralContainerStatuses: [{ ...state, state: { running: {} } }],
    },
  };
}

type PodsOf = Awaited<ReturnType<typeof start>>["podsOf"];

/** Creates a Pod, and labels it last: the tool selects a Pod that is ready, so nothing waits for it. */
async function create(podsOf: PodsOf, name: string, owner = "tool"): Promise<void> {
  const { metadata, spec, status } = podOf(name, owner);
  const { ephemeralContainers, containers } = spec ?? { containers: [] };
  await podsOf.create({ metadata: { namespace, name }, spec: { containers } });
  const patch = { spec: { ephemeralContainers } };
  await podsOf.patch(name, patch, { type: "strategic", subresource: "ephemeralcontainers" });
  await podsOf.patch(name, { status }, { type: "merge", subresource: "status" });
  await podsOf.patch(name, { metadata: { labels: metadata?.labels } }, { type: "merge" });
}

test("counts a Pod that comes after the tool", async (t) => {
  const { podsOf, installed } = await start(t);
  await create(podsOf, "one");
  await until(installed, 1);
  await create(podsOf, "two");
  await until(installed, 2);
});

test("counts again when a Pod is deleted", async (t) => {
  const { podsOf, installed } = await start(t);
  await create(podsOf, "one");
  await until(installed, 1);
  await podsOf.delete("one", { gracePeriodSeconds: 0 });
  await until(installed, 0);
});

test("counts again when a Pod loses the label", async (t) => {
  const { podsOf, installed } = await start(t);
  await create(podsOf, "one");
  await until(installed, 1);
  await podsOf.patch("one", { metadata: { labels: { app: "other" } } }, { type: "merge" });
  await until(installed, 0);
});

test("reconciles a deleted tool that once added a container to a Pod", async (t) => {
  const { podsOf, reconciled } = await start(t);
  await create(podsOf, "one", "deleted");
  const key = `${namespace}/deleted`;
  await until(() => Promise.resolve(reconciled.has(key)), true, `"reconcile was called for ${key}"`);
});
