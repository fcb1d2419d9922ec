import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  createClient,
  createTransport,
  defineResource,
  deployments,
  type KubeObject,
  namespaces,
  pods,
  type Resource,
  services,
} from "@operator-path/client";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { serviceAccountKubeConfig } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import {
  comparablePolicyRules,
  createRequestRecorder,
  eventually,
  type PolicyRule,
  policyRulesOf,
} from "@operator-path/controller-runtime/testing";
import { addWatches, createHelm, loadWatches } from "@operator-path/helm-operator";
import { findTool } from "@operator-path/tools";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { memcachedBackups } from "../memcached-operator/api/v1/zz_generated.resources.ts";
import { memcachedReleases } from "../memcached-operator/controllers/memcached.releases.ts";
import { setupWithManager } from "../memcached-operator/controllers/memcachedbackup.controller.ts";

// Page 3 says that neither of the two roles loses what the other one has, and that both together are enough. Here both
// halves do everything that they can do, helm included, as the ServiceAccount of config/default.

const project = join(import.meta.dirname, "../memcached-operator");
const account = { namespace: "memcached-operator-system", name: "memcached-operator-controller-manager" };
const memcacheds = defineResource<KubeObject & { spec?: object }>({
  ...{ group: "cache.my.domain", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});
/** No request: the API server asks it where an object is to block the deletion of its owner. */
const ofOwnerReferences = "cache.my.domain memcachedbackups/finalizers update";
const patience = { timeout: 60_000 };

test("the rights of config/default are enough for both halves, and the code asks for each of its own", async () => {
  const cluster = await startEmbeddedCluster();
  onTestFinished(() => cluster.stop());
  const admin = createClient(cluster.kubeConfig);
  onTestFinished(() => admin.close());
  await applyAllButDeployment(cluster.kubeconfigPath);

  const kubeConfig = await serviceAccountKubeConfig(
    { client: admin, kubeConfig: cluster.kubeConfig },
    account,
  );
  const recorder = createRequestRecorder(createTransport(kubeConfig));
  const stop = new AbortController();
  const manager = createManager(kubeConfig, {
    scheme: createScheme(memcachedBackups),
    logger: createLogger({ level: "silent" }),
    transport: recorder.transport,
  });
  setupWithManager(manager);
  const { path } = await findTool("helm");
  const helm = createHelm({ path, kubeconfig: kubeConfig });
  onTestFinished(() => helm.dispose());
  const watches = await loadWatches(join(project, "watches.yaml"));
  await addWatches(manager, watches, { helm, ...memcachedReleases(manager) });
  const running = manager.start(stop.signal);
  onTestFinished(() => stop.abort());

  // The Pods of both halves run here, too.
  const labels = { team: "checkout", "pod-security.kubernetes.io/enforce": "restricted" };
  await admin.resource(namespaces).create({ metadata: { name: "shop", labels } });
  const inShop = <T extends KubeObject>(resource: Resource<T>) => admin.resource(resource).namespace("shop");
  const [releases, backups] = [inShop(memcacheds), inShop(memcachedBackups)];
  const [made, addresses] = [inShop(deployments), inShop(services)];
  const settled = (labelSelector: string, size: number) =>
    eventually(async () => {
      const { items } = await inShop(pods).list({ labelSelector });
      expect(items).toHaveLength(size);
    }, patience);

  const chart = "app.kubernetes.io/name=memcached,team=checkout";
  await releases.create({ metadata: { name: "one" }, spec: { replicaCount: 1 } });
  await settled(chart, 1);
  await releases.patch("one", { spec: { replicaCount: 2 } }, { type: "merge" });
  await settled(chart, 2);
  await addresses.delete("one-memcached");
  await eventually(() => addresses.get("one-memcached"), patience);

  const code = "app.kubernetes.io/name=memcachedbackup";
  await backups.create({ metadata: { name: "two" }, spec: { size: 1 } });
  await settled(code, 1);
  await made.patch("two", { spec: { replicas: 3 } }, { type: "merge" });
  await eventually(async () => expect((await made.get("two")).metadata?.generation).toBe(3), patience);
  await settled(code, 1);
  await eventually(async () => expect((await backups.get("two")).status?.nodes).toHaveLength(1), patience);

  await releases.delete("one");
  await backups.delete("two");
  await eventually(async () => {
    expect((await releases.list()).items).toEqual([]);
    expect((await made.list()).items).toEqual([]);
  }, patience);
  stop.abort();
  await running;

  const asked = new Set(rightsOf(policyRulesOf(recorder.requests.filter(({ status }) => status !== 403))));
  const refused = rightsOf(policyRulesOf(recorder.requests.filter(({ status }) => status === 403)));
  expect(refused).toEqual([]);
  const role: { rules: PolicyRule[] } = parse(readFileSync(join(project, "config/rbac/role.yaml"), "utf8"));
  const unused = rightsOf(role.rules).filter((right) => !asked.has(right));
  expect(unused).toEqual([ofOwnerReferences]);
});

/** One line for each right: "apps deployments list". */
function rightsOf(rules: readonly PolicyRule[]): string[] {
  return comparablePolicyRules(rules).flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${group} ${resource} ${verb}`)),
    ),
  );
}

/** What `make deploy` would apply, without the operator itself. */
async function applyAllButDeployment(kubeconfigPath: string): Promise<void> {
  const { path } = await findTool("kubectl");
  async function kubectl(args: string[], input = ""): Promise<string> {
    const running = promisify(execFile)(path, args, {
      // It keeps what it has learnt of the cluster in HOME.
      env: { KUBECONFIG: kubeconfigPath, HOME: dirname(kubeconfigPath) },
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }
  const manifests = parseAllDocuments(await kubectl(["kustomize", join(project, "config/default")]));
  const items = manifests
    .map((each) => each.toJS() as KubeObject)
    .filter(({ kind }) => kind !== "Deployment");
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}
