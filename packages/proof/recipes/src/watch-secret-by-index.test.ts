import { createTransport, secrets } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { createRequestRecorder, eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { crdOf, startOperator } from "./testing/operator.ts";
import { databases, setupDatabases } from "./watch-secret-by-index.ts";

const cluster = await startTestCluster({ crds: [crdOf(databases)] });
afterAll(() => cluster.stop());

test("a changed Secret reconciles the Databases that name it, and no others", async () => {
  await using operator = await startOperator(cluster, {
    ...{ resources: [databases], role: "watch-secret-by-index.role.yaml", setup: setupDatabases },
  });
  const { namespace } = operator;
  const secret = cluster.client.resource(secrets).namespace(namespace);
  const database = cluster.client.resource(databases).namespace(namespace);
  const versionsOf = async () =>
    (await database.list()).items.map(({ metadata, status }) => [metadata?.name, status?.passwordVersion]);
  /** How often the operator has read this Secret: once in each reconcile of a Database that names it. */
  const reads = (name: string) =>
    operator.requests.filter((request) => request.verb === "get" && request.name === name).length;

  await database.create({ metadata: { name: "orders" }, spec: { passwordSecret: "shared" } });
  await database.create({ metadata: { name: "stock" }, spec: { passwordSecret: "shared" } });
  await database.create({ metadata: { name: "users" }, spec: { passwordSecret: "own" } });
  await eventually(async () =>
    expect(await versionsOf()).toEqual([
      ["orders", ""],
      ["stock", ""],
      ["users", ""],
    ]),
  );

  const shared = await secret.create({ metadata: { name: "shared" }, data: { password: "YQ==" } });
  const own = await secret.create({ metadata: { name: "own" } });
  const versions = (shared: string | undefined) => [
    ["orders", shared],
    ["stock", shared],
    ["users", own.metadata?.resourceVersion],
  ];
  await eventually(async () =>
    expect(await versionsOf()).toEqual(versions(shared.metadata?.resourceVersion)),
  );

  await secret.create({ metadata: { name: "unnamed" } });
  const changed = await secret.patch("shared", { data: { password: "Yg==" } }, { type: "merge" });
  await eventually(async () =>
    expect(await versionsOf()).toEqual(versions(changed.metadata?.resourceVersion)),
  );
  await secret.delete("shared");
  await eventually(async () => expect(await versionsOf()).toEqual(versions("")));
  // When the Database was created and when the Secret was.
  expect(reads("own")).toBe(2);
  expect(reads("unnamed")).toBe(0);

  const { needed, granted } = operator.permissions();
  expect(needed).toEqual(granted);
});

test("a Database that names another Secret follows that one", async () => {
  await using operator = await startOperator(cluster, {
    ...{ resources: [databases], role: "watch-secret-by-index.role.yaml", setup: setupDatabases },
  });
  const secret = cluster.client.resource(secrets).namespace(operator.namespace);
  const database = cluster.client.resource(databases).namespace(operator.namespace);
  const version = async () => (await database.get("orders")).status?.passwordVersion;
  await database.create({ metadata: { name: "orders" }, spec: { passwordSecret: "old" } });
  await database.patch("orders", { spec: { passwordSecret: "new" } }, { type: "merge" });
  const created = await secret.create({ metadata: { name: "new" } });
  await eventually(async () => expect(await version()).toBe(created.metadata?.resourceVersion));
});

test("a changed Secret reconciles no Database of another namespace", async () => {
  const { requests, transport } = createRequestRecorder(createTransport(cluster.kubeConfig));
  const logger = createLogger({ level: "silent" });
  const manager = createManager(cluster.kubeConfig, { scheme: createScheme(databases), logger, transport });
  setupDatabases(manager);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const running = manager.start(stop.signal);
  const namespaces = [await cluster.namespace(), await cluster.namespace()];
  const [here = "", there = ""] = namespaces;
  const api = cluster.client.resource(databases);
  for (const namespace of namespaces) {
    await api
      .namespace(namespace)
      .create({ metadata: { name: "orders" }, spec: { passwordSecret: "password" } });
    await eventually(async () =>
      expect((await api.namespace(namespace).get("orders")).status?.passwordVersion).toBe(""),
    );
  }
  const { metadata } = await cluster.client
    .resource(secrets)
    .namespace(here)
    .create({ metadata: { name: "password" } });
  await eventually(async () =>
    expect((await api.namespace(here).get("orders")).status?.passwordVersion).toBe(metadata?.resourceVersion),
  );
  // The manager finishes the reconciles that have begun.
  stop.abort();
  await running;
  const reads = requests.filter(({ verb, namespace, name }) => verb === "get" && namespace === there && name);
  expect(reads).toHaveLength(1);
});
