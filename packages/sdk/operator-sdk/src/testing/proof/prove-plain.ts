import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editWebhooks } from "./edit-webhooks.ts";
import type { Proof } from "./open-proof.ts";

const line = "great, the Reconcile is really triggered!";
const namespace = "memcached-operator-system";
// This starts a test cluster without a test runner.
const plainNode = `import { startTestCluster } from "@operator-path/cluster/testing";
await using cluster = await startTestCluster({ crds: ["config/crd/bases"] });
console.log(await cluster.namespace("plain"));
`;

/**
 * Checks, runs and deploys a project in TypeScript, first without webhooks and then with all three types of
 * them.
 */
export async function provePlain(proof: Proof): Promise<void> {
  const { project, shell, sdk } = proof;
  const controller = join(project, "controllers/memcached.controller.ts");
  await shell.run(`${sdk} init --domain example.com --repo github.com/example/memcached-operator`);
  await shell.run(
    `${sdk} create api --group cache --version v1alpha1 --kind Memcached --resource --controller`,
  );
  await proof.install();
  await shell.run("make lint test");
  await shell.run("make test");
  writeFileSync(join(project, "try.ts"), plainNode);
  assert.match(await shell.run("node try.ts"), /^plain-/);
  rmSync(join(project, "try.ts"));
  if (await proof.mayRunEnvtest()) await shell.run("env TEST_CLUSTER=envtest make test");
  await proof.startCluster();
  await shell.run("node_modules/.bin/biome format .");
  writeFileSync(
    controller,
    readFileSync(controller, "utf8").replace(
      "// your logic here",
      `$&\n    log.info({ stack: new Error("here").stack }, "${line}");`,
    ),
  );

  await shell.run("make install");
  const running = shell.start("node src/main.ts --health-probe-bind-address=127.0.0.1:0");
  await running.prints("Starting workers");
  await shell.run("kubectl apply -k config/samples");
  await running.prints(line);
  assert.equal(await running.stop(), 0, "the operator exits with code 0 after SIGTERM");
  await shell.run("kubectl delete -k config/samples");

  await shell.run("make docker-build docker-push deploy");
  const { size } = statSync(join(project, "dist/main.js"));
  assert.ok(size < 80_000_000, `the image adds ${size} bytes to its base`);
  await checkDeployed(proof);
  await shell.run("make undeploy ignore-not-found=true");
  await proof.nothingLeft();

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
  if (await proof.mayRunEnvtest()) await shell.run("env TEST_CLUSTER=envtest make test");
  // The image needs a new name, because nodes do not pull a name twice. Deploy it as users without the
  // sources would.
  await shell.run(
    "make lint test docker-build docker-push build-installer IMG=registry.example.com:5000/memcached:v0.0.2",
  );
  await shell.run("kubectl apply -f dist/install.yaml");
  await checkDeployed(proof);
  await shell.run("make undeploy ignore-not-found=true");
  await proof.nothingLeft();
  await shell.run("make test-e2e IMG=registry.example.com:5000/memcached:v0.0.3");
  await proof.nothingLeft();
}

/** Checks that the Pod is ready and has sufficient permissions: it gets the Lease and reconciles. */
async function checkDeployed(proof: Proof): Promise<void> {
  const { shell } = proof;
  const deployment = "deployment/memcached-operator-controller-manager";
  await shell.run(`kubectl rollout status ${deployment} -n ${namespace} --timeout=300s`);
  assert.match(await shell.run(`kubectl get pods -n ${namespace}`), /1\/1 +Running +0/);
  await shell.until("kubectl apply -k config/samples", () => true);
  const logs = await shell.until(`kubectl logs ${deployment} -n ${namespace}`, (text) => text.includes(line));
  assert.doesNotMatch(logs, /forbidden|"level":"error"/);
  assert.match(
    logs,
    /controllers\/memcached\.controller\.ts:\d+:\d+/,
    "a stack in the Pod's log names a line of the sources",
  );
  if (logs.includes("Serving webhook server")) await checkWebhooks(proof);
  await shell.run("kubectl delete -k config/samples");
}

/** Checks defaulting and validation, and that objects of one version can be read and written in the other. */
async function checkWebhooks({ shell, folder }: Proof): Promise<void> {
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
