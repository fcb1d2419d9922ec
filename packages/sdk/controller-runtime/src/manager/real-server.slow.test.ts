import {
  deployments,
  leases,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createScheme } from "../client/scheme.ts";
import {
  type Memcached,
  memcached,
  memcachedDefinition,
  memcacheds,
} from "../controller/testing/memcached.ts";
import { reconcileMemcached } from "../controller/testing/memory-cluster.ts";
import { createLogger } from "../log/create-logger.ts";
import { scrape } from "../metrics/testing/scrape.ts";
import { newWebhookManagedBy } from "../webhook/builder/webhook-builder.ts";
import { createManager } from "./create-manager.ts";

/** Allows for a busy machine. */
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 });

test("a manager with webhooks, leader election and a cached client works on a real kube-apiserver", async ({
  skip,
}) => {
  const missing = await findControlPlane({ mayBuild: false }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  skip(missing !== undefined, `there is no kube-apiserver and etcd on this machine: ${missing}`);
  const cluster = await startTestCluster({ provider: "envtest", crds: [memcachedDefinition] });
  onTestFinished(() => cluster.stop());
  const namespace = await cluster.namespace("shop");
  const errors: string[] = [];

  function start(name: string) {
    const manager = createManager(cluster.kubeConfig, {
      scheme: createScheme(memcacheds),
      logger: createLogger({
        level: "error",
        format: "json",
        destination: { write: (line) => errors.push(line) },
      }),
      leaderElection: { id: "memcached.example.com", namespace, identity: name, retryPeriod: 200 },
      metricsServer: { bindAddress: "127.0.0.1:0" },
      webhookServer: {
        ...{ host: "127.0.0.1", port: 0 },
        issueCertificates: {
          ...{ names: ["127.0.0.1"], interval: 200, secret: { namespace, name: "certificates" } },
          inject: { mutatingWebhookConfigurations: ["shop"], validatingWebhookConfigurations: ["shop"] },
        },
      },
    });
    newControllerManagedBy(manager).for(memcacheds).owns(deployments).complete(reconcileMemcached(manager));
    newWebhookManagedBy(manager)
      .for(memcacheds)
      .withDefaulter((object) => {
        object.spec = { size: 2, ...object.spec };
      })
      .withValidator({
        validateCreate({ spec }) {
          if ((spec?.size ?? 0) > 9) throw new Error("at most nine");
        },
      })
      .complete();
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    const end = () => {
      stop.abort();
      return running;
    };
    onTestFinished(end);
    return { manager, end };
  }

  const api = cluster.client.resource(memcacheds).namespace(namespace);
  const lease = cluster.client.resource(leases).namespace(namespace);
  const holder = async () => (await lease.get("memcached.example.com")).spec?.holderIdentity;
  const one = start("one");
  await one.manager.elected;
  const other = start("other");
  await until(() => expect(other.manager.webhookServer.port()).toBeDefined());
  expect(await holder()).toBe("one");

  // Answered by the replica that does not lead.
  const webhook = (path: string) => ({
    ...{
      name: "shop.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
    },
    clientConfig: { url: `https://127.0.0.1:${other.manager.webhookServer.port()}${path}` },
    rules: [
      {
        ...{ apiGroups: ["cache.example.com"], apiVersions: ["v1alpha1"] },
        ...{ operations: ["CREATE"], resources: ["memcacheds"] },
      },
    ],
  });
  const metadata = { name: "shop" };
  const suffix = "cache-example-com-v1alpha1-memcached";
  await cluster.client
    .resource(mutatingWebhookConfigurations)
    .create({ metadata, webhooks: [webhook(`/mutate-${suffix}`)] });
  await cluster.client
    .resource(validatingWebhookConfigurations)
    .create({ metadata, webhooks: [webhook(`/validate-${suffix}`)] });
  const of = (name: string, size?: number): Memcached => ({
    ...memcached(name),
    metadata: { namespace, name },
    spec: size === undefined ? {} : { size },
  });
  // The server applies configurations, and the authority in them, with a delay.
  await until(() =>
    expect(api.create(of("large", 10), { dryRun: true })).rejects.toThrow(
      'admission webhook "shop.example.com" denied the request: at most nine',
    ),
  );
  expect((await api.create(of("sample"))).spec).toEqual({ size: 2 });
  const settled = async (nodes: number) => {
    const { status, metadata: own } = await api.get("sample");
    expect(status?.nodes).toHaveLength(nodes);
    const deployment = await cluster.client.resource(deployments).namespace(namespace).get("sample");
    expect(deployment.spec?.replicas).toBe(nodes);
    expect(deployment.metadata?.ownerReferences).toMatchObject([{ uid: own?.uid, controller: true }]);
  };
  await until(() => settled(2));

  const { users } = cluster.kubeConfig;
  const metrics = `https://${one.manager.metricsAddress()}/metrics`;
  expect((await scrape(metrics)).status).toBe(401);
  const scraped = await scrape(metrics, { headers: { authorization: `Bearer ${users[0]?.token}` } });
  expect(scraped.status).toBe(200);
  expect(scraped.body).toContain('leader_election_master_status{name="memcached.example.com"} 1');

  await one.end();
  await other.manager.elected;
  expect(await holder()).toBe("other");
  await api.patch("sample", { spec: { size: 3 } }, { type: "merge" });
  await until(() => settled(3));
  await other.end();
  expect((await holder()) ?? "").toBe("");
  expect(errors).toEqual([]);
});
