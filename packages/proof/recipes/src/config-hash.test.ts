import { configMaps, deployments, pods, replicaSets, secrets } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { annotation, configHash, relays, setupRelays } from "./config-hash.ts";
import { crdOf, startOperator } from "./testing/operator.ts";

const cluster = await startTestCluster({ crds: [crdOf(relays)], controllers: true });
afterAll(() => cluster.stop());

test("rolls the Pods when the ConfigMap or the Secret changes", async () => {
  await using operator = await startOperator(cluster, {
    ...{ resources: [relays], role: "config-hash.role.yaml", setup: setupRelays },
  });
  const { namespace } = operator;
  const config = cluster.client.resource(configMaps).namespace(namespace);
  const secret = cluster.client.resource(secrets).namespace(namespace);
  const deployment = cluster.client.resource(deployments).namespace(namespace);
  /** The names of the Pods that run. */
  const running = async () => {
    const { items } = await cluster.client.resource(pods).namespace(namespace).list();
    expect(items.map(({ status }) => status?.phase)).toEqual(["Running"]);
    return items.map(({ metadata }) => metadata?.name);
  };

  await cluster.client
    .resource(relays)
    .namespace(namespace)
    .create({ metadata: { name: "edge" }, spec: { image: "nginx", configMap: "routes", secret: "token" } });
  await config.create({ metadata: { name: "routes" }, data: { "routes.yaml": "/: shop" } });
  expect((await deployment.list()).items).toEqual([]);
  await secret.create({ metadata: { name: "token" }, data: { TOKEN: "YQ==" } });
  const first = await eventually(running);

  await config.patch("routes", { data: { "routes.yaml": "/: blog" } }, { type: "merge" });
  const second = await eventually(async () => {
    const names = await running();
    expect(names).not.toEqual(first);
    return names;
  });
  await secret.patch("token", { data: { TOKEN: "Yg==" } }, { type: "merge" });
  await eventually(async () => expect(await running()).not.toEqual(second));

  const before = await deployment.get("edge");
  const applies = () => operator.requests.filter(({ verb }) => verb === "patch").length;
  const sent = applies();
  await config.patch("routes", { metadata: { labels: { touched: "yes" } } }, { type: "merge" });
  await eventually(() => expect(applies()).toBeGreaterThan(sent));
  expect((await deployment.get("edge")).metadata?.generation).toBe(before.metadata?.generation);
  expect(before.spec?.template.metadata?.annotations?.[annotation]).toBe(
    configHash(await config.get("routes"), await secret.get("token")),
  );
  // One for each content that there was.
  const { items } = await cluster.client.resource(replicaSets).namespace(namespace).list();
  expect(items).toHaveLength(3);
  const { needed, granted } = operator.permissions();
  expect(needed).toEqual(granted);
});

test("the hash depends on each key and value, and not on their order", () => {
  const one = configHash({ data: { a: "1", b: "2" } });
  expect(configHash({ data: { b: "2", a: "1" } })).toBe(one);
  expect(configHash({ metadata: { labels: { touched: "yes" } }, data: { a: "1", b: "2" } })).toBe(one);
  const others = [
    configHash({ data: { a: "2", b: "1" } }),
    configHash({ data: { a: "1" } }),
    configHash({ binaryData: { a: "1", b: "2" } }),
    configHash({ data: { a: "1" } }, { data: { b: "2" } }),
    configHash({ data: { b: "2" } }, { data: { a: "1" } }),
  ];
  expect(new Set([one, ...others]).size).toBe(6);
});
