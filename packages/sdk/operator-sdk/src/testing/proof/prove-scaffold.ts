/**
 * `pnpm proof scaffold [--provider envtest]`: a project is begun in an empty folder outside the repository, installed without network, checked,
 * run and deployed on an embedded cluster, or on a real API server, first without webhooks and then with all three kinds
 * of them, and removed. The cluster and
 * container-tool are those that the project has installed. Says what it does, a line each; exit code 1 at the first
 * thing that is not as it should be, with that command's output.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { SpawnedCluster, spawnEmbeddedCluster, spawnEnvtestCluster } from "@operator-path/cluster";
import { findControlPlane, findTool } from "@operator-path/tools";
import { editWebhooks } from "./edit-webhooks.ts";
import { openShell } from "./shell.ts";

const { values: flags } = parseArgs({
  options: { provider: { type: "string", default: "embedded" } },
  // `scaffold`, which it was started by.
  allowPositionals: true,
});
assert.match(flags.provider, /^(embedded|envtest)$/, "--provider: embedded, or envtest");
const line = "great, the Reconcile is really triggered!";
const namespace = "memcached-operator-system";
const folder = mkdtempSync(join(tmpdir(), "prove-scaffold-"));
const project = join(folder, "memcached-operator");
mkdirSync(project);
const kubectl = await findTool("kubectl");
const env: NodeJS.ProcessEnv = {
  ...process.env,
  CONTAINER_TOOL: "node_modules/.bin/container-tool",
  PATH: [dirname(process.execPath), dirname(kubectl.path), process.env.PATH].join(":"),
};
const shell = openShell(project, env);
// The pnpm that runs this, or one that npx has kept.
const pnpm = env.npm_execpath?.endsWith("pnpm") ? `"${env.npm_execpath}"` : "npx --yes --offline pnpm@12";
type Installed = Pick<SpawnedCluster, "kubeconfigPath" | "stop">;
let cluster: Installed | undefined;
const sdk = `"${process.execPath}" --conditions=@operator-path/source "${join(import.meta.dirname, "../../main.ts")}"`;
// A test cluster without a test runner.
const plainNode = `import { startTestCluster } from "@operator-path/cluster/testing";
await using cluster = await startTestCluster({ crds: ["config/crd/bases"] });
console.log(await cluster.namespace("plain"));
`;
const controller = join(project, "controllers/memcached.controller.ts");

try {
  await shell.run(`${sdk} init --domain example.com --repo github.com/example/memcached-operator`);
  await shell.run(
    `${sdk} create api --group cache --version v1alpha1 --kind Memcached --resource --controller`,
  );
  // A proxy that nobody listens at, and nothing that pnpm remembers of the registry: whatever wants the network fails.
  await shell.run(
    `env HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 ${pnpm} install --offline --config.cacheDir="${join(folder, "pnpm-cache")}"`,
  );
  await shell.run("make lint test");
  await shell.run("make test");
  writeFileSync(join(project, "try.ts"), plainNode);
  assert.match(await shell.run("node try.ts"), /^plain-/);
  rmSync(join(project, "try.ts"));
  if (await mayRunEnvtest()) await shell.run("env TEST_CLUSTER=envtest make test");
  cluster = await spawnInstalled({ directory: join(folder, "cluster") });
  env.KUBECONFIG = cluster.kubeconfigPath;
  await shell.run("node_modules/.bin/biome format .");
  writeFileSync(
    controller,
    readFileSync(controller, "utf8").replace("// your logic here", `$&\n    log.info("${line}");`),
  );

  await shell.run("make install");
  const running = shell.start("node src/main.ts --health-probe-bind-address=127.0.0.1:0");
  await running.says("Starting workers");
  await shell.run("kubectl apply -k config/samples");
  await running.says(line);
  assert.equal(await running.stop(), 0, "make run ends with 0 at SIGTERM");
  await shell.run("kubectl delete -k config/samples");

  await shell.run("make docker-build docker-push deploy");
  const { size } = statSync(join(project, "dist/main.js"));
  assert.ok(size < 80_000_000, `the image adds ${size} bytes to its base`);
  await deployed();
  await shell.run("make undeploy ignore-not-found=true");
  await nothingLeft();

  const ofKind = "--group cache --kind Memcached";
  await shell.run(
    `${sdk} create webhook ${ofKind} --version v1alpha1 --defaulting --programmatic-validation`,
  );
  await shell.run(`${sdk} create api ${ofKind} --version v1 --resource --controller=false`);
  await shell.run(`${sdk} create webhook ${ofKind} --version v1 --conversion`);
  await shell.run(
    `${sdk} create api --group apps --version v1 --kind Deployment --resource=false --controller`,
  );
  editWebhooks(project);
  if (await mayRunEnvtest()) await shell.run("env TEST_CLUSTER=envtest make test");
  // Of another name: nodes that have an image of a name do not pull it again. As those get it who have no sources.
  await shell.run(
    "make lint test docker-build docker-push build-installer IMG=registry.example.com:5000/memcached:v0.0.2",
  );
  await shell.run("kubectl apply -f dist/install.yaml");
  await deployed();
  await shell.run("make undeploy ignore-not-found=true");
  await nothingLeft();
  await shell.run("make test-e2e IMG=registry.example.com:5000/memcached:v0.0.3");
  await nothingLeft();
  console.log("everything is as it should be");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await shell.end();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** That of the project's own node_modules: JavaScript, in an ordinary Node. */
async function spawnInstalled(options: { directory: string }): Promise<Installed> {
  const file = join(project, "node_modules/@operator-path/cluster/dist/index.js");
  const installed = (await import(pathToFileURL(file).href)) as {
    spawnEmbeddedCluster: typeof spawnEmbeddedCluster;
    spawnEnvtestCluster: typeof spawnEnvtestCluster;
  };
  return flags.provider === "envtest"
    ? installed.spawnEnvtestCluster(options)
    : installed.spawnEmbeddedCluster(options);
}

/** Whether TEST_CLUSTER=envtest needs nothing that would have to be built first; says so if not. */
async function mayRunEnvtest(): Promise<boolean> {
  const found = await findControlPlane({ controllerManager: true, mayBuild: false }).catch(() => undefined);
  if (!found)
    console.log("     -    TEST_CLUSTER=envtest: not run, there is no kube-apiserver on this machine");
  return found !== undefined;
}

/** The Pod is ready, and what its rights allow is enough: it has the Lease, and reconciles. */
async function deployed(): Promise<void> {
  const deployment = "deployment/memcached-operator-controller-manager";
  await shell.run(`kubectl rollout status ${deployment} -n ${namespace} --timeout=60s`);
  assert.match(await shell.run(`kubectl get pods -n ${namespace}`), /1\/1 +Running +0/);
  await shell.until("kubectl apply -k config/samples", () => true);
  const logs = await shell.until(`kubectl logs ${deployment} -n ${namespace}`, (text) => text.includes(line));
  assert.doesNotMatch(logs, /forbidden|"level":"error"/);
  if (logs.includes("Serving webhook server")) await webhooksAnswer();
  await shell.run("kubectl delete -k config/samples");
}

/** Defaults, rules, and what is stored in one version read and written in the other. */
async function webhooksAnswer(): Promise<void> {
  const foo = (version: string, name: string): Promise<string> =>
    shell.run(`kubectl get memcacheds.${version}.cache.example.com ${name} -o jsonpath={.spec.foo}`);
  assert.equal(await foo("v1alpha1", "memcached-sample"), "defaulted");
  assert.equal(await foo("v1", "memcached-sample"), "detluafed");
  const other = join(folder, "other.yaml");
  writeFileSync(
    other,
    "apiVersion: cache.example.com/v1\nkind: Memcached\nmetadata: { name: other }\nspec: { foo: desufer }\n",
  );
  await assert.rejects(shell.run(`kubectl create -f ${other}`), /denied the request: refused is refused/);
  writeFileSync(other, readFileSync(other, "utf8").replace("desufer", "abc"));
  await shell.run(`kubectl create -f ${other}`);
  assert.equal(await foo("v1alpha1", "other"), "defaulted");
  await shell.run(`kubectl delete -f ${other}`);
}

async function nothingLeft(): Promise<void> {
  const kinds = [
    ...["namespaces", "customresourcedefinitions", "clusterroles", "clusterrolebindings"],
    ...[
      "mutatingwebhookconfigurations",
      "validatingwebhookconfigurations",
      "deployments",
      "pods",
      "leases",
      "secrets",
    ],
  ];
  await shell.until(`kubectl get ${kinds.join(",")} -A -o name`, (text) => !text.includes("memcached"));
}
