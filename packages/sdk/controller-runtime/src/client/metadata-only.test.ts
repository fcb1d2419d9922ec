import {
  type ConfigMap,
  configMaps,
  type Deployment,
  deployments,
  type KubeObject,
  type Scale,
} from "@operator-path/client";
import { expect, test } from "vitest";
import { startCachedClient } from "../cache/testing/cached-client.ts";
import { addFinalizer } from "../controllerutil/finalizers.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { createFakeClient } from "../testing/index.ts";
import { ignoreNotFound } from "./errors.ts";
import { metadataOnly } from "./metadata-only.ts";
import { mergeFrom } from "./patch.ts";

const key = { namespace: "a", name: "settings" };
const settings: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...key, labels: { app: "x" } },
  data: { k: "1" },
};

async function start() {
  const { client, direct, start } = await startCachedClient();
  start();
  await direct.create(settings);
  return { cached: client, server: direct, fake: createFakeClient({ objects: [settings] }), direct };
}

test.each(["cached", "server", "fake"] as const)(
  "never overwrites an object with its metadata alone: %s",
  async (from) => {
    const clients = await start();
    const client = clients[from];
    const whole = from === "fake" ? client : clients.direct;
    const partial = await client.get(metadataOnly(configMaps), key);
    const [listed] = await client.list(metadataOnly(configMaps), { namespace: "a", labels: { app: "x" } });
    const refused =
      "only the metadata of the ConfigMap a/settings was read, so this write would remove the rest: use client.patch";
    // @ts-expect-error: the compiler rejects it, too
    await expect(client.update(addFinalizer(partial, "example.com/x"))).rejects.toThrow(refused);
    for (const object of [partial, listed ?? {}, { ...partial }] as KubeObject[]) {
      await expect(client.update(object)).rejects.toThrow(refused);
      await expect(client.status.update(object)).rejects.toThrow(refused);
      await expect(client.create(object)).rejects.toThrow(refused);
    }
    await client.patch(addFinalizer(partial, "example.com/x"), mergeFrom(partial));
    const stored = await whole.get(configMaps, key);
    expect(stored).toMatchObject({ data: { k: "1" }, metadata: { finalizers: ["example.com/x"] } });
    const owned = setControllerReference(partial, settings);
    expect(owned.metadata?.ownerReferences).toMatchObject([{ apiVersion: "v1", kind: "ConfigMap" }]);
    await expect(client.patch(partial, mergeFrom(stored))).rejects.toThrow(
      "only the metadata of the ConfigMap a/settings",
    );
    const { finalizers, ...metadata } = stored.metadata ?? {};
    await client.patch({ ...stored, metadata }, mergeFrom(stored));
    await client.delete(partial);
    expect(await whole.get(configMaps, key).catch(ignoreNotFound)).toBeUndefined();
  },
);

test.each(["cached", "fake"] as const)("deletes nothing for an undefined selector: %s", async (from) => {
  const { [from]: client } = await start();
  const optional: { labelSelector?: string; labels?: Record<string, string> }[] = [
    { labelSelector: undefined as never },
    { labels: undefined as never },
  ];
  for (const selection of optional) {
    await expect(client.deleteAllOf(configMaps, { namespace: "a", ...selection })).rejects.toThrow(
      "is undefined, which would select everything: leave it out",
    );
  }
  await expect(client.get(configMaps, key)).resolves.toBeDefined();
});

test("returns the type that was sent to a subresource", async () => {
  const { direct } = await startCachedClient();
  const labels = { app: "web" };
  const web: Deployment = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "a", name: "web" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  };
  const deployment = await direct.create(web);
  const scales = direct.subResource("scale");
  const scale = await scales.get<Scale>(deployment);
  const scaled: Scale = await scales.update(deployment, { body: { ...scale, spec: { replicas: 3 } } });
  expect(scaled).toMatchObject({ kind: "Scale", spec: { replicas: 3 } });
  expect((await direct.get(deployments, { namespace: "a", name: "web" })).spec?.replicas).toBe(3);
});
