import assert from "node:assert/strict";
import type { Proof } from "./open-proof.ts";

const namespace = "memcached-operator-system";
const deployment = "deployment/memcached-operator-controller-manager";

/**
 * Checks, runs and deploys a project with a Helm API and an API in TypeScript. The deployed image contains
 * helm.
 */
export async function proveHybrid(proof: Proof): Promise<void> {
  const { shell, sdk } = proof;
  await shell.run(
    `${sdk} init --plugins=hybrid.helm.sdk.operatorframework.io --project-version=3 --domain my.domain --repo=github.com/example/memcached-operator`,
  );
  await shell.run(
    `${sdk} create api --plugins helm.sdk.operatorframework.io/v1 --group cache --version v1alpha1 --kind Memcached`,
  );
  await shell.run(
    `${sdk} create api --group=cache --version v1 --kind MemcachedBackup --resource --controller --plugins=go/v3`,
  );
  await proof.install();
  await shell.run("make lint test");
  await shell.run("node_modules/.bin/biome format .");
  if (await proof.mayRunEnvtest()) await shell.run("env TEST_CLUSTER=envtest make test");
  await proof.startCluster();

  await shell.run("make install");
  // This is the command of `make run`. make itself would not forward a SIGTERM.
  const running = shell.start('env HELM="$(command -v helm)" node src/main.ts');
  await running.prints("Configured watch");
  await checkLifecycle(proof);
  assert.equal(await running.stop(), 0, "the operator exits with code 0 after SIGTERM");

  await shell.run("make docker-build docker-push deploy");
  await shell.run(`kubectl rollout status ${deployment} -n ${namespace} --timeout=300s`);
  assert.match(await shell.run(`kubectl get pods -n ${namespace}`), /1\/1 +Running +0/);
  await checkLifecycle(proof);
  assert.doesNotMatch(
    await shell.run(`kubectl logs ${deployment} -n ${namespace}`),
    /forbidden|"level":"error"/,
  );
  await shell.run("make undeploy ignore-not-found=true");
  await proof.nothingLeft();
  await shell.run("make test-e2e IMG=registry.example.com:5000/memcached:v0.0.2");
  await proof.nothingLeft();
}

/** Installs, upgrades, repairs and uninstalls an object. */
async function checkLifecycle({ shell }: Proof): Promise<void> {
  const replicas = (number: number) =>
    shell.until(
      "kubectl get deployment memcached-sample -o jsonpath={.status.readyReplicas}",
      (text) => text === String(number),
    );
  await shell.until("kubectl apply -k config/samples", () => true);
  await replicas(1);
  await shell.run(`kubectl patch memcached memcached-sample --type=merge -p '{"spec":{"replicaCount":3}}'`);
  await replicas(3);
  assert.match(await shell.run("helm list"), /memcached-sample\s+default\s+2\s.*deployed/);
  await shell.run("kubectl scale deployment memcached-sample --replicas=5");
  await shell.until("kubectl get events", (text) => text.includes("DriftRepaired"));
  await replicas(3);
  await shell.run("kubectl delete -k config/samples --timeout=300s");
  assert.doesNotMatch(await shell.run("kubectl get deployments,services,secrets -o name"), /memcached/);
  await shell.run("kubectl delete events --all");
}
