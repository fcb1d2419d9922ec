import { type ConfigMap, configMaps, type Deployment, deployments } from "@operator-path/client";
import { expect, test } from "vitest";
import { startCachedClient } from "../cache/testing/cached-client.ts";
import { createOrPatch } from "./create-or-patch.ts";
import { createOrUpdate } from "./create-or-update.ts";
import { setControllerReference } from "./owner-references.ts";

const key = { namespace: "a", name: "web" };
const wanted: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...key } };

function withReplicas(replicas: number) {
  return (deployment: Deployment) => {
    const labels = { app: "web" };
    deployment.spec ??= {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    };
    deployment.spec.replicas = replicas;
  };
}

/** Reads from a cache and counts writes. */
async function start() {
  const world = await startCachedClient();
  world.start();
  const writes = () => world.requests.splice(0).filter((request) => !/^(GET|WATCH)/.test(request));
  return { ...world, writes };
}

const both: [string, typeof createOrUpdate<Deployment>, string][] = [
  ["createOrUpdate", createOrUpdate, "PUT"],
  ["createOrPatch", createOrPatch, "PATCH"],
];

test.each(both)(
  "%s creates, sends nothing for an unchanged object, and updates",
  async (_, createOr, verb) => {
    const { client, direct, writes } = await start();
    const path = "/apis/apps/v1/namespaces/a/deployments";
    const created = await createOr(client, wanted, withReplicas(1));
    expect([created.result, created.object.spec?.replicas, writes()]).toEqual([
      "created",
      1,
      [`POST ${path}`],
    ]);
    expect(wanted.spec).toBeUndefined();
    const again = await createOr(client, wanted, withReplicas(1));
    expect([again.result, again.object.metadata?.uid, writes()]).toEqual([
      "unchanged",
      created.object.metadata?.uid,
      [],
    ]);
    const updated = await createOr(client, wanted, withReplicas(2));
    expect([updated.result, updated.object.spec?.replicas, writes()]).toEqual([
      "updated",
      2,
      [`${verb} ${path}/web`],
    ]);
    expect((await direct.get(deployments, key)).spec?.replicas).toBe(2);
  },
);

test("accepts an asynchronous function, and one that returns another object", async () => {
  const { client, direct } = await start();
  const owner = await direct.create<ConfigMap>({ apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } });
  const own = async (deployment: Deployment) => {
    withReplicas(1)(deployment);
    return setControllerReference(owner, deployment);
  };
  expect((await createOrUpdate(client, wanted, own)).object.metadata?.ownerReferences).toHaveLength(1);
  expect((await createOrUpdate(client, wanted, own)).result).toBe("unchanged");
});

test("rejects a changed name or namespace, and passes on errors of the function", async () => {
  const { client, writes } = await start();
  const renamed = (deployment: Deployment) => ({
    ...deployment,
    metadata: { namespace: "b", name: "other" },
  });
  await expect(createOrUpdate(client, wanted, renamed)).rejects.toThrow(
    "the mutate function must not change name or namespace: it changed a/web to b/other",
  );
  const failing = () => Promise.reject(new Error("no image"));
  await expect(createOrPatch(client, wanted, failing)).rejects.toThrow("no image");
  expect(writes()).toEqual([]);
});

test("createOrPatch writes a changed status to its subresource, and keeps changes of others", async () => {
  const { client, direct, writes } = await start();
  await createOrPatch(client, wanted, withReplicas(1));
  writes();
  const withStatus = (replicas: number) => (deployment: Deployment) => {
    withReplicas(replicas)(deployment);
    deployment.status = { ...deployment.status, observedGeneration: replicas };
  };
  expect((await createOrPatch(client, wanted, withStatus(1))).result).toBe("updatedStatusOnly");
  const both = await createOrPatch(client, wanted, withStatus(2));
  expect([both.result, both.object.spec?.replicas, both.object.status?.observedGeneration]).toEqual([
    "updatedStatus",
    2,
    2,
  ]);
  const path = "/apis/apps/v1/namespaces/a/deployments/web";
  expect(writes()).toEqual([`PATCH ${path}/status`, `PATCH ${path}`, `PATCH ${path}/status`]);
  expect((await createOrPatch(client, wanted, withStatus(2))).result).toBe("unchanged");

  // Another client writes between the read and the patch. Its change stays.
  const racing = async (deployment: Deployment) => {
    const { metadata, ...rest } = await direct.get(deployments, key);
    await direct.update({ ...rest, metadata: { ...metadata, labels: { theirs: "yes" } } });
    withReplicas(3)(deployment);
  };
  const { object } = await createOrPatch(client, wanted, racing);
  expect([object.metadata?.labels, object.spec?.replicas]).toEqual([{ theirs: "yes" }, 3]);
});

test("only ensures that the object exists when there is no function", async () => {
  const { client } = await start();
  const plain: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key }, data: { k: "1" } };
  expect((await createOrUpdate(client, plain)).result).toBe("created");
  expect((await createOrUpdate(client, { ...plain, data: { k: "2" } })).result).toBe("unchanged");
  expect((await client.get(configMaps, key)).data).toEqual({ k: "1" });
});

test.each(both)("%s stores nothing after its signal has aborted", async (_, createOr) => {
  const { client, direct } = await start();
  const stop = new AbortController();
  const stopping = createOr(
    client,
    wanted,
    (deployment) => {
      withReplicas(1)(deployment);
      stop.abort(new Error("the manager stops"));
    },
    { signal: stop.signal },
  );
  await expect(stopping).rejects.toThrow("the manager stops");
  expect(await direct.list(deployments)).toEqual([]);
});
