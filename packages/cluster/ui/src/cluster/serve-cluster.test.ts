import { once } from "node:events";
import {
  type ConfigMap,
  clusterRoles,
  configMaps,
  createClient,
  customResourceDefinitions,
  defineResource,
  events,
  type KubeObject,
  leases,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { UiServer } from "../server/create-ui-server.ts";
import { ask, openSession, type Session, startServer } from "../server/testing/browser.ts";
import { createHistory, type History } from "./history.ts";
import { type ClusterModel, openClusterModel } from "./open-cluster-model.ts";
import { serveCluster } from "./serve-cluster.ts";
import { beat, type ClusterMessage, type ObjectText, type ObjectView, type TimelineEntry } from "./wire.ts";

let cluster: TestCluster;
let model: ClusterModel;
let server: UiServer;
let session: Session;
const stop = new AbortController();

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.client.resource(namespaces).create({ metadata: { name: "shop" } });
  await cluster.client
    .resource(configMaps)
    .create({ metadata: { name: "before", namespace: "shop" }, data: { a: "1" } });
  model = await openClusterModel({
    client: cluster.client,
    cluster: { context: "test", server: "https://127.0.0.1" },
    signal: stop.signal,
    past: false,
  });
  await model.waitForSync();
  server = await startServer();
  serveCluster(server, { model, client: cluster.client });
  session = await openSession(server);
});
afterAll(async () => {
  await server.close();
  stop.abort();
  await model.done;
  await cluster.stop();
});

const shop = () => cluster.client.resource(configMaps).namespace("shop");
const named = (objects: Iterable<ObjectView>, name: string) =>
  [...objects].find((view) => view.name === name && view.kind !== "Namespace");
const get = async (path: string) => {
  const answer = await ask(server, { path, headers: { cookie: session.cookie } });
  return { ...answer, json: JSON.parse(answer.text) as unknown };
};
const objectText = async (uid = "", seq?: number) =>
  (await get(`/api/cluster/object?uid=${uid}${seq === undefined ? "" : `&seq=${seq}`}`)).json as ObjectText;
const entriesOf = (name: string) => model.history.entries.filter((entry) => entry.name === name);

/** A browser's end of the socket: its own history, filled by messages. */
async function openView(
  { origin } = server,
  { cookie } = session,
): Promise<{ history(): History; messages: ClusterMessage[]; close(): void }> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/cluster/changes`, {
    headers: { cookie, origin },
  });
  const messages: ClusterMessage[] = [];
  let history = createHistory(5000);
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as ClusterMessage;
    messages.push(message);
    if (message.type === "snapshot") history = createHistory(5000, message.base);
    if ("entries" in message) for (const entry of message.entries) history.push(entry);
  });
  await once(socket, "message");
  return { messages, history: () => history, close: () => socket.terminate() };
}

test("a browser sees the cluster, and then each change", async () => {
  const view = await openView();
  expect(named(view.history().now.values(), "before")).toMatchObject({
    kind: "ConfigMap",
    namespace: "shop",
  });
  expect(view.messages[0]).toMatchObject({ type: "snapshot", cluster: { context: "test" }, synced: true });

  const owner = await shop().create({ metadata: { name: "owner" } }, { fieldManager: "kubectl-create" });
  const ownerReferences = [
    { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata?.uid ?? "", controller: true },
  ];
  await shop().create({ metadata: { name: "owned", ownerReferences }, data: { a: "1" } });
  await shop().patch("owned", { data: { a: "2" } }, { type: "merge", fieldManager: "shop-operator" });
  await expect.poll(() => entriesOf("owned").length).toBe(2);
  await expect
    .poll(() => named(view.history().now.values(), "owned")?.owners)
    .toEqual([{ uid: owner.metadata?.uid, controller: true }]);
  const [added, updated] = view.history().entries.filter(({ name }) => name === "owned");
  expect(added).toMatchObject({ type: "added", kind: "ConfigMap", namespace: "shop" });
  expect(updated).toMatchObject({ type: "updated", by: "shop-operator", text: "data.a: 1 → 2" });

  await shop().delete("owned");
  await expect.poll(() => named(view.history().now.values(), "owned")).toBe(undefined);
  expect(view.history().entries.at(-1)).toMatchObject({ type: "deleted", name: "owned" });
  view.close();
});

test("sends beats while nothing changes, so that silence means a server that hangs", async () => {
  const clock = createFakeClock();
  await using own = await startServer();
  serveCluster(own, { model, client: cluster.client, clock });
  const view = await openView(own, await openSession(own));
  for (let beats = 1; beats <= 3; beats++) {
    await clock.advance(beat);
    await expect.poll(() => view.messages.filter(({ type }) => type === "alive").length).toBe(beats);
  }
  view.close();
});

test("shows the cluster as it was", async () => {
  await shop().create({ metadata: { name: "past" }, data: { a: "1" } });
  await expect.poll(() => entriesOf("past").length).toBe(1);
  const then = model.history.entries.at(-1)?.at ?? 0;
  await expect.poll(() => Date.now()).toBeGreaterThan(then);
  await shop().delete("past");
  await expect.poll(() => entriesOf("past").length).toBe(2);
  const view = await openView();
  expect(named(view.history().at(then).values(), "past")).toBeDefined();
  expect(named(view.history().now.values(), "past")).toBe(undefined);
  view.close();
});

test("shows an object as YAML with the last change marked, now and as it was", async () => {
  const created = await shop().create({ metadata: { name: "text" }, data: { a: "1", b: "1" } });
  const uid = created.metadata?.uid ?? "";
  await shop().patch("text", { data: { a: "2" } }, { type: "merge" });
  await shop().patch("text", { data: { b: "2" } }, { type: "merge" });
  await expect.poll(() => entriesOf("text").length).toBe(3);
  const marked = ({ lines }: ObjectText) =>
    lines.filter(({ mark }) => mark).map(({ mark, text }) => [mark, text]);
  expect(marked(await objectText(uid))).toEqual([
    ["removed", '  b: "1"'],
    ["added", '  b: "2"'],
  ]);
  const [first, second] = entriesOf("text") as [TimelineEntry, TimelineEntry];
  const then = await objectText(uid, second.seq);
  expect(marked(then)).toEqual([
    ["removed", '  a: "1"'],
    ["added", '  a: "2"'],
  ]);
  expect(then.change).toMatchObject({ seq: second.seq, type: "updated" });
  expect(marked(await objectText(uid, first.seq))).toEqual([]);
  expect((await objectText(uid)).lines.map(({ text }) => text)).not.toContain("  managedFields:");
  await shop().delete("text");
  await expect.poll(() => entriesOf("text").length).toBe(4);
  expect((await objectText(uid)).lines.map(({ text }) => text)).toContain('  b: "2"');
});

test("an object that has not changed since is the same at every moment", async () => {
  const before = named(model.history.now.values(), "before");
  await shop().create({ metadata: { name: "later" } });
  await expect.poll(() => entriesOf("later").length).toBe(1);
  const text = await objectText(before?.uid, 1);
  expect(text.lines.map((line) => line.text)).toContain('  a: "1"');
  expect(text).not.toHaveProperty("change");
});

test("never contains the data of a Secret", async () => {
  const applied = '{"stringData":{"password":"hunter2"}}';
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": applied };
  const secret = { metadata: { name: "login", annotations }, stringData: { password: "hunter2" } };
  const created = await cluster.client.resource(secrets).namespace("shop").create(secret);
  await expect.poll(() => entriesOf("login").length).toBe(1);
  await cluster.client
    .resource(secrets)
    .namespace("shop")
    .patch(
      "login",
      { stringData: { password: "hunter3" }, metadata: { labels: { a: "b" } } },
      { type: "merge" },
    );
  await expect.poll(() => entriesOf("login").length).toBe(2);
  const { text } = await get(`/api/cluster/object?uid=${created.metadata?.uid}`);
  expect(text).toContain("login");
  const view = await openView();
  for (const shown of [text, JSON.stringify(view.messages), JSON.stringify(entriesOf("login"))])
    expect(shown).not.toMatch(/hunter|aHVudGVy/);
  view.close();
});

test("shows the Events of an object, and on the time line", async () => {
  const owner = await shop().create({ metadata: { name: "eventful" } });
  const event = {
    metadata: { name: "eventful.1", namespace: "shop" },
    involvedObject: {
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "shop",
      name: "eventful",
      uid: owner.metadata?.uid,
    },
    ...{ type: "Warning", reason: "Failed", message: "no such image", count: 3 },
    source: { component: "shop-operator" },
    lastTimestamp: "2026-01-01T00:00:00Z",
  };
  await cluster.client.resource(events).create(event);
  await expect.poll(() => entriesOf("eventful").length).toBe(2);
  expect(entriesOf("eventful")[1]).toMatchObject({
    ...{ type: "event", warning: true, by: "shop-operator", text: "Failed: no such image", count: 3 },
  });
  expect((await get(`/api/cluster/events?uid=${owner.metadata?.uid}`)).json).toEqual([
    {
      at: Date.parse("2026-01-01T00:00:00Z"),
      ...{ warning: true, reason: "Failed", message: "no such image", source: "shop-operator", count: 3 },
    },
  ]);
});

test("marks a change of nothing but a heartbeat's time", async () => {
  const node = cluster.client.resource(leases).namespace("shop");
  await node.create({ metadata: { name: "node-1" }, spec: { renewTime: "2026-01-01T00:00:00.000000Z" } });
  await node.patch("node-1", { spec: { renewTime: "2026-01-01T00:00:10.000000Z" } }, { type: "merge" });
  await node.patch("node-1", { spec: { holderIdentity: "node-1" } }, { type: "merge" });
  await expect.poll(() => entriesOf("node-1").length).toBe(3);
  expect(entriesOf("node-1").map(({ heartbeat }) => heartbeat)).toEqual([undefined, true, undefined]);
});

test("a kind appears with its definition, and its objects disappear with it", async () => {
  const names = { plural: "orders", singular: "order", kind: "Order" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition = {
    metadata: { name: "orders.shop.example.com" },
    spec: {
      ...{ group: "shop.example.com", scope: "Namespaced", names },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  await cluster.client.resource(customResourceDefinitions).create(definition);
  const { plural, kind } = names;
  const orders = defineResource<KubeObject>({
    ...{ group: "shop.example.com", version: "v1", plural, kind, namespaced: true },
  });
  await expect.poll(() => model.kinds().map((state) => state.kind)).toContain("Order");
  const client = cluster.client.resource(orders).namespace("shop");
  await client.create({ metadata: { name: "one" } });
  await expect.poll(() => entriesOf("one").length).toBe(1);
  await cluster.client.resource(customResourceDefinitions).delete("orders.shop.example.com");
  await expect.poll(() => model.kinds().map((state) => state.kind)).not.toContain("Order");
  await expect.poll(() => named(model.history.now.values(), "one")).toBe(undefined);
});

test("shows what an operator needs outside its namespace: ClusterRoles and webhook configurations", async () => {
  await cluster.client.resource(clusterRoles).create({
    metadata: { name: "order-manager" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  });
  await cluster.client
    .resource(validatingWebhookConfigurations)
    .create({ metadata: { name: "order-rules" } });
  await expect
    .poll(() => [...entriesOf("order-manager"), ...entriesOf("order-rules")].map(({ kind }) => kind))
    .toEqual(["ClusterRole", "ValidatingWebhookConfiguration"]);
});

test("after a burst, memory and messages are bounded, and the end is right", async () => {
  const own = new AbortController();
  const small = await openClusterModel({
    ...{ client: cluster.client, cluster: { context: "test", server: "" }, signal: own.signal },
    ...{ maxEntries: 50, maxBytes: 20_000 },
  });
  await small.waitForSync();
  const view = await openView();
  await shop().create({ metadata: { name: "busy" }, data: { n: "0" } });
  for (let n = 1; n <= 150; n++) await shop().patch("busy", { data: { n: String(n) } }, { type: "merge" });
  const last = (await shop().get("busy")).metadata?.resourceVersion;
  await expect.poll(() => named(small.history.now.values(), "busy")?.resourceVersion).toBe(last);
  await expect.poll(() => named(view.history().now.values(), "busy")?.resourceVersion).toBe(last);
  expect(small.history.entries.length).toBeLessThan(70);
  // The oldest version is gone. The object itself is not.
  const uid = named(small.history.now.values(), "busy")?.uid ?? "";
  expect((small.versionOf(uid)?.object as ConfigMap | undefined)?.data).toEqual({ n: "150" });
  view.close();
  own.abort();
  await small.done;
});

test("shows only the chosen namespaces", async () => {
  await cluster.client.resource(namespaces).create({ metadata: { name: "other" } });
  const own = new AbortController();
  const some = await openClusterModel({
    ...{ client: cluster.client, cluster: { context: "test", server: "" }, signal: own.signal },
    namespaces: ["shop"],
  });
  await some.waitForSync();
  await cluster.client
    .resource(configMaps)
    .namespace("other")
    .create({ metadata: { name: "hidden" } });
  await shop().create({ metadata: { name: "shown" } });
  await expect.poll(() => named(some.history.now.values(), "shown")).toBeDefined();
  expect(new Set([...some.history.now.values()].map(({ namespace }) => namespace))).toEqual(
    new Set(["shop"]),
  );
  own.abort();
  await some.done;
});

test("says which kinds the user may not watch, and shows the others", async () => {
  const { serviceAccountKubeConfig } = await import("@operator-path/cluster/testing");
  const account = { namespace: "shop", name: "viewer" };
  await cluster.client.resource(serviceAccounts).create({ metadata: account });
  const client = createClient(await serviceAccountKubeConfig(cluster, account));
  const own = new AbortController();
  const some = await openClusterModel({
    ...{ client, cluster: { context: "test", server: "" }, signal: own.signal, namespaces: ["shop"] },
  });
  await some.waitForSync();
  expect(some.kinds().find(({ kind }) => kind === "ConfigMap")?.problem).toBe("you have no permission");
  own.abort();
  await some.done;
  await client.close();
});

test("refuses the log of what is not a Pod of the view", async () => {
  const { status, text } = await ask(server, {
    ...{ path: "/api/cluster/logs?uid=nothing", headers: { cookie: session.cookie } },
  });
  expect([status, text]).toEqual([404, '{"message":"this Pod does not exist now"}']);
});

test("a log that the server refuses ends with the reason", async () => {
  await cluster.client
    .resource(serviceAccounts)
    .namespace("shop")
    .create({ metadata: { name: "default" } });
  const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const created = await cluster.client.resource(pods).namespace("shop").create(pod);
  await expect.poll(() => entriesOf("web").length).toBeGreaterThan(0);
  const { status, text } = await ask(server, {
    ...{
      path: `/api/cluster/logs?uid=${created.metadata?.uid}&container=sidecar`,
      headers: { cookie: session.cookie },
    },
  });
  expect(status).toBe(200);
  expect(text).toContain("sidecar");
});
