import { join } from "node:path";
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  type Deployment,
  deployments,
  type KubeObject,
  type NetworkPolicy,
  type Service,
} from "@operator-path/client";
import { deployedRights, kustomize, printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  createScheme,
  type Manager,
  newWebhookManagedBy,
} from "@operator-path/controller-runtime";
import { createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { trackCollections } from "@operator-path/faults";
import { expect, test } from "vitest";
import { converter } from "../memcached-operator-v2/api/v1/memcached.conversion.ts";
import { memcacheds } from "../memcached-operator-v2/api/v1/zz_generated.resources.ts";
import { setupWebhookWithManager } from "../memcached-operator-v2/api/v1alpha1/memcached.webhook.ts";
import { memcacheds as memcachedsV1alpha1 } from "../memcached-operator-v2/api/v1alpha1/zz_generated.resources.ts";
import { deploymentFor } from "../memcached-operator-v2/controllers/deployment.ts";

// The project of page 3: what its manifests deploy, and what the project's own tests do not say.

const config = join(import.meta.dirname, "../memcached-operator-v2/config");
const home = "memcached-operator-system";

test("each account has the permissions that it needs, and no other", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "memcached-operator-controller-manager" };
  const rights = await deployedRights(cluster.client, await kustomize(join(config, "default")), operator);
  const everywhere = [
    "admissionregistration.k8s.io/mutatingwebhookconfigurations[memcached-operator-mutating-webhook-configuration] get patch",
    "admissionregistration.k8s.io/validatingwebhookconfigurations[memcached-operator-validating-webhook-configuration] get patch",
    "apiextensions.k8s.io/customresourcedefinitions[memcacheds.cache.example.com] get patch",
    "apps/deployments create delete list patch watch",
    "authentication.k8s.io/tokenreviews create",
    "authorization.k8s.io/subjectaccessreviews create",
    "cache.example.com/memcacheds list watch",
    "cache.example.com/memcacheds/finalizers update",
    "cache.example.com/memcacheds/status update",
    "pods list watch",
  ];
  expect(rights.default).toEqual(everywhere);
  expect(rights[home]).toEqual(
    [
      ...everywhere,
      "coordination.k8s.io/leases create get update",
      "events create",
      "secrets create",
      "secrets[memcached-operator-webhook-certificates] get update",
    ].sort(),
  );
});

test("the Pod serves webhooks, and the API server reaches them", async () => {
  const manifests = await kustomize(join(config, "default"));
  const find = <T extends KubeObject>(kind: string, name: string) =>
    manifests.find(
      (object) => object.kind === kind && object.metadata?.name === `memcached-operator-${name}`,
    ) as T;
  const { spec } = find<Deployment>("Deployment", "controller-manager");
  const [container] = spec?.template.spec?.containers ?? [];
  expect(container?.ports).toContainEqual({ containerPort: 9443, name: "webhook-server", protocol: "TCP" });
  expect(container?.env?.map(({ name }) => name).sort()).toEqual(["NODE_OPTIONS", "POD_NAMESPACE"]);
  expect(container?.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
  });
  const selector = { "app.kubernetes.io/name": "memcached-operator", "control-plane": "controller-manager" };
  expect(find<Service>("Service", "webhook-service").spec).toEqual({
    ports: [{ port: 443, protocol: "TCP", targetPort: 9443 }],
    selector,
  });
  expect(find<NetworkPolicy>("NetworkPolicy", "allow-webhook-traffic").spec?.ingress).toEqual([
    { ports: [{ port: 9443, protocol: "TCP" }] },
  ]);
});

test("both versions show their columns, reject more than 1024 MiB, and have the webhooks in common", async () => {
  await using cluster = await startTestCluster({
    crds: (await kustomize(join(config, "crd"))) as CustomResourceDefinition[],
    webhooks: [join(config, "webhook")],
  });
  const stop = new AbortController();
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(memcacheds, memcachedsV1alpha1),
    logger: createLogger({ level: "silent" }),
    webhookServer: cluster.webhookServer,
  });
  setup(manager);
  const running = manager.start(stop.signal);
  const current = cluster.client.resource(memcacheds).namespace("default");
  const old = cluster.client.resource(memcachedsV1alpha1).namespace("default");

  const created = await eventually(() =>
    current.create({ metadata: { name: "one" }, spec: { replicas: 20, whenFull: "Error" } }),
  );
  // The defaulter knows v1alpha1 only, and whenFull survives it.
  expect(created.spec).toEqual({ replicas: 20, memory: 51, whenFull: "Error" });
  expect((await old.get("one")).spec).toEqual({ size: 20, memory: 51 });
  for (const spec of [{ replicas: 20, memory: 52 }, { replicas: -1 }, { replicas: 1, memory: 0 }])
    await expect(current.create({ metadata: { name: "bad" }, spec })).rejects.toThrow("is invalid");
  await expect(old.create({ metadata: { name: "bad" }, spec: { size: 20, memory: 52 } })).rejects.toThrow(
    "more than 1024 MiB",
  );
  const object = { metadata: { namespace: "default", name: "two" }, status: { nodes: ["three"] } };
  const columns = { Name: "two", Desired: 2, Nodes: '["three"]' };
  expect(await printedColumns(cluster.client, memcacheds, { ...object, spec: { replicas: 2 } })).toEqual(
    columns,
  );
  stop.abort();
  await running;
});

test("a name of 64 characters gets no Deployment, and a rule on self.metadata.name refuses it", async () => {
  const crds = (await kustomize(join(config, "crd"))) as CustomResourceDefinition[];
  for (const { spec } of crds) spec.conversion = { strategy: "None" };
  await using cluster = await startTestCluster({ crds });
  const all = cluster.client.resource(memcacheds).namespace("default");
  const create = (length: number) =>
    all.create({ metadata: { name: "m".repeat(length) }, spec: { replicas: 1 } });
  const long = await create(64);
  await expect(cluster.client.resource(deployments).create(deploymentFor(long))).rejects.toThrow(
    "must be no more than 63 bytes",
  );
  await all.delete("m".repeat(64));
  const definitions = cluster.client.resource(customResourceDefinitions);
  const definition = await definitions.get("memcacheds.cache.example.com");
  const rule = "size(self.metadata.name) <= 63";
  for (const { schema } of definition.spec.versions) {
    const root = schema?.openAPIV3Schema as { "x-kubernetes-validations"?: object[] };
    root["x-kubernetes-validations"] = [{ rule, message: "name: at most 63 characters" }];
  }
  await definitions.update(definition);
  await eventually(() => expect(create(64)).rejects.toThrow("name: at most 63 characters"));
  await create(63);
});

test("the reconciler keeps nothing of 100 Memcacheds that came and went", async () => {
  using kept = trackCollections(new URL("../memcached-operator-v2/", import.meta.url));
  // Imported afterwards, so that the module's own collections count, too.
  const { createMemcachedReconciler } = await import(
    "../memcached-operator-v2/controllers/memcached.controller.ts"
  );
  const client = createFakeClient({ scheme: createScheme(memcacheds), statusSubresources: [memcacheds] });
  const reconcile = createMemcachedReconciler({ client });
  const log = createLogger({ level: "silent" });
  for (let i = 0; i < 100; i++) {
    const request = { namespace: `shop-${i}`, name: `sample-${i}` };
    const created = await client.create({
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: request,
      spec: { replicas: 1 },
    });
    await reconcile(request, { log });
    await reconcile(request, { log });
    await client.delete(created);
    await reconcile(request, { log });
  }
  expect(await kept.size()).toBe(0);
});

function setup(manager: Manager): void {
  setupWebhookWithManager(manager);
  newWebhookManagedBy(manager).for(memcacheds).withConverter(converter).complete();
}
