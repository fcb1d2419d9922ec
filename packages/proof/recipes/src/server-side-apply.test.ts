import { type Deployment, deployments, isConflict, services } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createObjectClient, createScheme } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { createSiteReconciler, setupSites, sites } from "./server-side-apply.ts";
import { crdOf, startOperator } from "./testing/operator.ts";

const cluster = await startTestCluster({ crds: [crdOf(sites)] });
afterAll(() => cluster.stop());
const client = createObjectClient(cluster.client);

/** Starts the operator, creates a Site and waits for its Deployment. */
async function start(spec: { image: string; replicas?: number; greeting?: string }) {
  const operator = await startOperator(cluster, {
    ...{ resources: [sites], role: "server-side-apply.role.yaml", setup: setupSites },
  });
  const site = cluster.client.resource(sites).namespace(operator.namespace);
  const deployment = cluster.client.resource(deployments).namespace(operator.namespace);
  const service = cluster.client.resource(services).namespace(operator.namespace);
  await site.create({ metadata: { name: "shop" }, spec });
  await eventually(() => Promise.all([deployment.get("shop"), service.get("shop")]));
  return { operator, site, deployment, service, [Symbol.asyncDispose]: operator[Symbol.asyncDispose] };
}

const container = ({ spec }: Deployment) => spec?.template.spec?.containers[0];

test("creates the children, repairs its own fields and leaves others alone", async () => {
  await using started = await start({ image: "nginx:1.29" });
  const { deployment, service, operator } = started;
  await deployment.patch(
    "shop",
    {
      metadata: { annotations: { "example.com/team": "web" } },
      spec: {
        template: {
          spec: { nodeSelector: { disk: "ssd" }, containers: [{ name: "web", image: "nginx:0" }] },
        },
      },
    },
    { type: "strategic" },
  );
  await service.patch("shop", { spec: { selector: { app: "other" } } }, { type: "merge" });
  await eventually(async () => {
    expect(container(await deployment.get("shop"))?.image).toBe("nginx:1.29");
    expect((await service.get("shop")).spec?.selector).toEqual({ app: "shop" });
  });
  const { metadata, spec } = await deployment.get("shop");
  expect(metadata?.annotations).toMatchObject({ "example.com/team": "web" });
  expect(spec?.template.spec?.nodeSelector).toEqual({ disk: "ssd" });

  await deployment.delete("shop");
  await eventually(() => deployment.get("shop"));
  const { needed, granted } = operator.permissions();
  expect(needed).toEqual(granted);
});

test("creates no children for a Site in foreground deletion", async () => {
  await using started = await start({ image: "nginx:1.29" });
  const { site, deployment, service, operator } = started;
  // It keeps the Site after the garbage collector has finished.
  await site.patch("shop", { metadata: { finalizers: ["example.com/hold"] } }, { type: "merge" });
  await site.delete("shop", { propagationPolicy: "Foreground" });
  await eventually(async () => {
    expect((await site.get("shop")).metadata?.finalizers).toEqual(["example.com/hold"]);
    expect((await deployment.list()).items).toEqual([]);
    expect((await service.list()).items).toEqual([]);
  });
  const creations = operator.requests.filter(({ verb, status }) => verb === "patch" && status === 201);
  expect(creations).toHaveLength(2);
  await site.patch("shop", { metadata: { finalizers: [] } }, { type: "merge" });
});

test("removes a field that it no longer sends, and no field of another manager", async () => {
  await using started = await start({ image: "nginx:1.29", greeting: "hello" });
  const { site, deployment } = started;
  const others = [{ name: "web", env: [{ name: "DEBUG", value: "1" }] }];
  await deployment.patch(
    "shop",
    { spec: { template: { spec: { containers: others } } } },
    { type: "strategic" },
  );
  expect(container(await deployment.get("shop"))?.env).toHaveLength(2);

  await site.patch("shop", { spec: { greeting: null } }, { type: "merge" });
  await eventually(async () =>
    expect(container(await deployment.get("shop"))?.env).toEqual([{ name: "DEBUG", value: "1" }]),
  );
});

test("hands replicas over to an autoscaler through a second field manager", async () => {
  await using started = await start({ image: "nginx:1.29", replicas: 3 });
  const { site, deployment, operator } = started;
  const changeImage = async (image: string) => {
    await site.patch("shop", { spec: { replicas: null, image } }, { type: "merge" });
    await eventually(async () => expect(container(await deployment.get("shop"))?.image).toBe(image));
  };
  const metadata = { namespace: operator.namespace, name: "shop" };
  await client.apply(
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 3 } },
    { fieldManager: "handover-to-hpa" },
  );
  await changeImage("nginx:1.30");
  expect((await deployment.get("shop")).spec?.replicas).toBe(3);

  // An autoscaler writes the subresource.
  await deployment.patch("shop", { spec: { replicas: 5 } }, { type: "merge", subresource: "scale" });
  await changeImage("nginx:1.31");
  const { metadata: { managedFields = [] } = {}, spec } = await deployment.get("shop");
  expect(spec?.replicas).toBe(5);
  const owners = managedFields.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:replicas"'));
  expect(owners.map(({ subresource }) => subresource)).toEqual(["scale"]);
});

test("returns replicas to the default when no other manager owns them", async () => {
  await using started = await start({ image: "nginx:1.29", replicas: 3 });
  const { site, deployment } = started;
  await site.patch("shop", { spec: { replicas: null } }, { type: "merge" });
  await eventually(async () => expect((await deployment.get("shop")).spec?.replicas).toBe(1));
});

test("rejects another manager's value without force", async () => {
  await using started = await start({ image: "nginx:1.29" });
  const configuration = {
    apiVersion: "v1" as const,
    kind: "Service" as const,
    metadata: { namespace: started.operator.namespace, name: "shop" },
    spec: { selector: { app: "other" } },
  };
  const error: unknown = await client.apply(configuration, { fieldManager: "mesh" }).catch((error) => error);
  expect(isConflict(error)).toBe(true);
  expect(String(error)).toContain('conflict with "site-operator": .spec.selector');
});

test("an apply that changes nothing keeps the resourceVersion", async () => {
  await using started = await start({ image: "nginx:1.29" });
  const { site, deployment, service, operator } = started;
  const versions = async () =>
    [await deployment.get("shop"), await service.get("shop")].map(
      ({ metadata }) => metadata?.resourceVersion,
    );
  const before = await versions();
  const applies = () =>
    operator.requests.filter(({ verb, status }) => verb === "patch" && status === 200).length;
  const sent = applies();
  await site.patch("shop", { metadata: { labels: { touched: "yes" } } }, { type: "merge" });
  await eventually(() => expect(applies()).toBeGreaterThanOrEqual(sent + 2));
  expect(await versions()).toEqual(before);
});

test("recovers from each request that fails", async () => {
  const request = { namespace: "default", name: "shop" };
  const shop = { apiVersion: "web.example.com/v1", kind: "Site", metadata: request };
  const writes = await checkFaults(() => ({
    client: createFakeClient({ scheme: createScheme(sites), objects: [shop] }),
    ...{ resource: sites, request, reconciler: createSiteReconciler },
    steps: [
      async (client) =>
        client.update({ ...(await client.get(sites, request)), spec: { image: "nginx:1.30" } }),
    ],
  }));
  expect(writes).toEqual([
    "apply Deployment default/shop",
    "apply Service default/shop",
    "apply Deployment default/shop",
  ]);
});
