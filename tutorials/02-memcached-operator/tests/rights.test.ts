import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  createClient,
  createTransport,
  deployments,
  KubeConfig,
  type KubeObject,
} from "@operator-path/client";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { serviceAccountKubeConfig } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import {
  createRequestRecorder,
  eventually,
  type PolicyRule,
  policyRulesFor,
  policyRulesOf,
} from "@operator-path/controller-runtime/testing";
import { findTool } from "@operator-path/tools";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { setupWithManager } from "../memcached-operator/controllers/memcached.controller.ts";

// Part 2 says that the operator needs the permissions of its markers, and no others. Here it does everything that it
// can do, as the ServiceAccount of config/default. Then the test compares its requests with config/rbac.

const account = { namespace: "memcached-operator-system", name: "memcached-operator-controller-manager" };
/** The server checks this permission when an object blocks the deletion of its owner. No request shows it. */
const ofOwnerReferences: PolicyRule = {
  apiGroups: ["cache.example.com"],
  resources: ["memcacheds/finalizers"],
  verbs: ["update"],
};

test("the operator uses each of its permissions, and needs no others", async () => {
  const cluster = await startEmbeddedCluster();
  onTestFinished(() => cluster.stop());
  const admin = createClient(cluster.kubeConfig);
  onTestFinished(() => admin.close());
  const { manifests, apply } = await kustomization(cluster.kubeconfigPath);
  await apply(manifests.filter(({ kind }) => kind !== "Deployment"));

  const kubeConfig = await serviceAccountKubeConfig(
    { client: admin, kubeConfig: cluster.kubeConfig },
    account,
  );
  const recorder = createRequestRecorder(createTransport(kubeConfig));
  const stop = new AbortController();
  const manager = createManager(kubeConfig, {
    scheme: createScheme(memcacheds),
    logger: createLogger({ level: "silent" }),
    leaderElection: { id: "memcached-operator.example.com", namespace: account.namespace },
    metricsServer: { bindAddress: "127.0.0.1:0" },
    transport: recorder.transport,
  });
  setupWithManager(manager);
  const running = manager.start(stop.signal);
  onTestFinished(() => stop.abort());

  const objects = admin.resource(memcacheds).namespace("default");
  const nodes = async () => (await objects.get("sample")).status?.nodes;
  await objects.create({ metadata: { name: "sample" }, spec: { size: 1 } });
  await eventually(async () => expect(await nodes()).toHaveLength(1), { timeout: 60_000 });
  const [created] = (await admin.resource(deployments).namespace("default").list()).items;
  expect(created?.metadata?.ownerReferences).toMatchObject([{ controller: true, blockOwnerDeletion: true }]);
  await objects.patch("sample", { spec: { size: 2 } }, { type: "merge" });
  await eventually(async () => expect(await nodes()).toHaveLength(2), { timeout: 60_000 });
  const { token = "" } = kubeConfig.getCurrentUser() ?? {};
  expect(await scrape(manager.metricsAddress() ?? "", token)).toContain("Authorization denied");
  // Releases the Lease.
  stop.abort();
  await running;

  const granted = recorder.requests.filter(({ status }) => status !== 403);
  const needed = [...policyRulesOf(granted), ofOwnerReferences].sort(byResource);
  expect(needed).toEqual(policyRulesFor(manifests, account));
  expect(policyRulesOf(recorder.requests)).toEqual(policyRulesOf(granted));
});

const byResource = (a: PolicyRule, b: PolicyRule) =>
  `${a.apiGroups}/${a.resources}` < `${b.apiGroups}/${b.resources}` ? -1 : 1;

/** Returns what `make deploy` would apply. */
async function kustomization(kubeconfigPath: string) {
  const { path } = await findTool("kubectl");
  async function kubectl(args: string[], input = ""): Promise<string> {
    const running = promisify(execFile)(path, args, {
      // kubectl caches what it knows about the cluster in HOME.
      env: { KUBECONFIG: kubeconfigPath, HOME: dirname(kubeconfigPath) },
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }
  const folder = join(import.meta.dirname, "../memcached-operator/config/default");
  const manifests = parseAllDocuments(await kubectl(["kustomize", folder])).map(
    (document) => document.toJS() as KubeObject,
  );
  return {
    manifests,
    apply: (objects: readonly KubeObject[]) =>
      kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects })),
  };
}

/** Returns the answer to a request for the metrics. */
async function scrape(address: string, token: string): Promise<string> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "metrics", server: `https://${address}`, skipTLSVerify: true },
    { name: "reader", token },
  );
  const transport = createTransport(kubeConfig);
  try {
    return await transport.request({ method: "GET", path: "/metrics" }).then(String, String);
  } finally {
    await transport.close();
  }
}
