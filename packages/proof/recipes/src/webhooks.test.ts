import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Client,
  type MutatingWebhookConfiguration,
  mutatingWebhookConfigurations,
  secrets,
  type ValidatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { kustomize, startTestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  createScheme,
  type ManagerWebhookOptions,
} from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { siteCrd, sites } from "./site.ts";
import { onThisMachine, setupSiteWebhooks } from "./webhooks.ts";

const manifest = join(import.meta.dirname, "webhooks.yaml");
const cluster = await startTestCluster({ crds: [siteCrd], webhooks: [manifest] });
afterAll(() => cluster.stop());
const api = cluster.client.resource(sites).namespace("default");

/** Runs an operator that has only webhooks. */
function operate(kubeConfig: typeof cluster.kubeConfig, webhookServer: ManagerWebhookOptions | undefined) {
  const logger = createLogger({ level: "silent" });
  const manager = createManager(kubeConfig, { scheme: createScheme(sites), logger, webhookServer });
  setupSiteWebhooks(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
}

let stop: () => Promise<void>;
beforeAll(async () => {
  // Stored before the webhooks: an invalid host, and no replicas.
  const { metadata, spec } = shop("old", "old");
  await setFailurePolicy("Ignore");
  await eventually(() => api.create({ metadata: { ...metadata, finalizers: ["example.com/hold"] }, spec }));
  await setFailurePolicy("Fail");
  stop = operate(cluster.kubeConfig, cluster.webhookServer);
  await eventually(async () =>
    expect((await api.create(shop("probe"), { dryRun: true })).spec?.replicas).toBe(1),
  );
});

const shop = (name: string, host = "shop.example.com") => ({ metadata: { name }, spec: { host } });

test("fills in the replicas of a new Site", async () => {
  expect((await api.create(shop("shop"))).spec).toEqual({ host: "shop.example.com", replicas: 1 });
});

test("rejects a host without a domain, and a host that changes", async () => {
  await expect(api.create(shop("bare", "shop"))).rejects.toThrow(
    'spec.host: Invalid value: "shop": needs a domain',
  );
  const stored = await api.create(shop("moving"));
  const moved = { ...stored, spec: { host: "other.example.com" } };
  await expect(api.update(moved)).rejects.toThrow("cannot change");
  expect((await api.get("moving")).spec?.host).toBe("shop.example.com");
});

test("an invalid Site that is older than the webhooks can be stored again and deleted", async () => {
  const { metadata: { resourceVersion } = {}, spec } = await api.get("old");
  expect(spec).toEqual({ host: "old" });
  const again = await api.update(await api.get("old"));
  expect(again.metadata?.resourceVersion).not.toBe(resourceVersion);
  expect(again.spec).toEqual({ host: "old", replicas: 1 });

  await api.delete("old");
  await api.patch("old", { metadata: { finalizers: [] } }, { type: "merge" });
  await expect(api.get("old")).rejects.toThrow("not found");
});

test("without the operator, Fail rejects writes and Ignore stores them as they are", async () => {
  await stop();
  await expect(api.create(shop("late"))).rejects.toThrow(
    'failed calling webhook "default.sites.web.example.com"',
  );

  await setFailurePolicy("Ignore");
  expect((await api.create(shop("late", "late"))).spec).toEqual({ host: "late" });
});

test("an operator on this machine is called by URL, and injects its own authority", async () => {
  // The port is a free one. Nothing is redirected: the configurations are created below.
  await using other = await startTestCluster({ crds: [siteCrd], webhooks: [] });
  const { port = 0 } = other.webhookServer ?? {};
  await createByUrl(other.client, port);

  const end = operate(other.kubeConfig, onThisMachine("default", port));
  const there = other.client.resource(sites).namespace("default");
  await eventually(async () =>
    expect((await there.create(shop("shop"))).spec).toEqual({ host: "shop.example.com", replicas: 1 }),
  );
  await expect(there.create(shop("bare", "shop"))).rejects.toThrow("needs a domain");
  const secret = await other.client.resource(secrets).namespace("default").get("site-webhook-certificates");
  expect(Object.keys(secret.data ?? {})).toEqual(expect.arrayContaining(["tls.crt", "tls.key"]));
  await end();
});

async function setFailurePolicy(value: "Fail" | "Ignore"): Promise<void> {
  const patch = [{ op: "replace" as const, path: "/webhooks/0/failurePolicy", value }];
  for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations]) {
    await cluster.client.resource(resource).patch("sites", patch, { type: "json" });
  }
}

/** What `kubectl apply -k` does with webhooks.kustomization.yaml, for an operator that listens on another port. */
async function createByUrl(client: Client, port: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "webhooks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(manifest, join(folder, "webhooks.yaml"));
  const kustomization = await readFile(join(import.meta.dirname, "webhooks.kustomization.yaml"), "utf8");
  await writeFile(join(folder, "kustomization.yaml"), kustomization.replaceAll(":9443/", `:${port}/`));
  for (const object of await kustomize(folder)) {
    const resource = object.kind?.startsWith("Mutating")
      ? mutatingWebhookConfigurations
      : validatingWebhookConfigurations;
    await client
      .resource<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(resource)
      .create(object);
  }
}
