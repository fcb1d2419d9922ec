/**
 * `pnpm proof copy` copies stages with other names, and checks each copy outside of the repository and
 * without network: it installs, its tests and its linter pass, it runs on its own embedded cluster, and it is
 * removed without a trace. Webhooks can be added. Prints a line for each action. Exits with 1 at the first
 * failure, with the output of that command.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerToolPath, spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool, quote } from "@operator-path/tools";
import { findPnpm, installFromStore } from "@operator-path/walkthrough";
import { execa } from "execa";
import { copyStage } from "../../copy/copy.ts";
import { repositoryRoot as root } from "../../repository.ts";

const traces = /memcached|podbugger|podbtool|\bpbt\b|ualter|example\.com|github\.com\/example/i;
const names = { domain: "acme.io", group: "storage", kind: "CacheCluster" };

// Without a git identity, a copy has no commit. This proof needs one.
for (const who of ["AUTHOR", "COMMITTER"]) {
  process.env[`GIT_${who}_NAME`] ??= "An author";
  process.env[`GIT_${who}_EMAIL`] ??= "author@acme.io";
}

const folder = await realpath(await mkdtemp(join(tmpdir(), "prove-copy-")));
const cluster = await spawnEmbeddedCluster({ directory: join(folder, "cluster") });
const env = await environment();

try {
  await proveScaffold("02-memcached-operator/2", "store-operator");
  await provePlain("01-podbuggertool/2", "tools");
  await provePlain("01-podbuggertool/3", "more-tools");
  console.log("everything is as it should be");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A project with PROJECT, and with the make targets of operator-sdk. */
async function proveScaffold(stage: string, name: string): Promise<void> {
  const run = await copy(stage, name);
  const namespace = `${name}-system`;
  const deployment = `deployment/${name}-controller-manager -n ${namespace}`;
  await run("make lint test");
  await run("node_modules/.bin/biome format .");
  assert.equal(await run("git status --porcelain"), "", "what is generated is what was committed");
  await run("make docker-build docker-push deploy");
  await worksAsDeployed();
  await run("make undeploy ignore-not-found=true");
  await nothingLeft(run);
  await run(
    "node_modules/.bin/operator-sdk create webhook --group storage --version v1alpha1 --kind CacheCluster --defaulting --programmatic-validation",
  );
  // The scaffolded test creates an object with the scaffold's own fields.
  const test = join(folder, name, "api/v1alpha1/cachecluster.webhook.test.ts");
  const text = (await readFile(test, "utf8")).replaceAll('foo: "bar"', "size: 2");
  await writeFile(test, text);
  await run("make lint test");
  await run("make docker-build docker-push deploy VERSION=0.1.0");
  await worksAsDeployed();
  await run("make undeploy ignore-not-found=true");
  await nothingLeft(run);

  async function worksAsDeployed(): Promise<void> {
    await run(`kubectl rollout status ${deployment} --timeout=60s`);
    await until(run, "kubectl apply -k config/samples", () => true);
    await until(
      run,
      "kubectl get deployment cachecluster-sample -o jsonpath={.status.readyReplicas}",
      (text) => text === "3",
    );
    const nodes = "kubectl get cacheclusters cachecluster-sample -o jsonpath={.status.nodes}";
    await until(run, nodes, (text) => text.startsWith("[") && JSON.parse(text).length === 3);
    assert.doesNotMatch(await run(`kubectl logs ${deployment}`), /forbidden/);
    await run("kubectl delete -k config/samples");
  }
}

/** A project of the first tutorial, with another Makefile, and Pods that it serves. */
async function provePlain(stage: string, name: string): Promise<void> {
  const run = await copy(stage, name);
  await run("pnpm typecheck");
  await run("pnpm test");
  await run("make install docker-build docker-push deploy");
  await run(`kubectl rollout status deployment/${name} -n ${name} --timeout=60s`);
  await run("kubectl run payment --image=nginx --labels=app=payment");
  await run("kubectl apply -f cachecluster-payment.yaml");
  const installed = "kubectl get cc cachecluster-payment -o jsonpath={.status.installed}";
  await until(run, installed, (text) => text === "1");
  assert.doesNotMatch(await run(`kubectl logs deployment/${name} -n ${name}`), /forbidden/);
  await run("kubectl delete pod payment --now");
  await run("kubectl delete -f cachecluster-payment.yaml");
  await run("make undeploy ignore-not-found=true");
  await nothingLeft(run);
}

/**
 * Runs a command in the copy, and prints it unless it is `quiet`. Resolves to its standard output. Rejects
 * with the output if it fails.
 */
type Run = (command: string, quiet?: boolean) => Promise<string>;

/** Copies a stage, installs it, and searches it for text that it must not contain. */
async function copy(stage: string, name: string): Promise<Run> {
  const project = join(folder, name);
  const say = (line: string): void => console.log(line);
  await copyStage(stage, name, names, { root, cwd: folder, signal: new AbortController().signal, say });
  const run: Run = async (command, quiet = false) => {
    const begun = performance.now();
    const { all, stdout, exitCode } = await execa("sh", ["-c", command], {
      ...{ cwd: project, env, extendEnv: false, reject: false, all: true, stdin: "ignore" },
    });
    if (exitCode !== 0) throw new Error(`${command}: exit code ${exitCode}\n${all}`);
    if (!quiet) console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${command}`);
    return stdout;
  };
  for (const path of (await run("git ls-files")).split("\n")) {
    assert.doesNotMatch(path, traces);
    if (path === "LICENSE" || path.startsWith("vendor/")) continue;
    assert.doesNotMatch(await readFile(join(project, path), "utf8"), traces, path);
  }
  await run("pnpm install --frozen-lockfile");
  for (const entry of await readdir(join(project, "node_modules/@operator-path"))) {
    const place = await realpath(join(project, "node_modules/@operator-path", entry));
    assert.ok(place.startsWith(project), `${place} is outside of the copy`);
  }
  return run;
}

async function nothingLeft(run: Run): Promise<void> {
  const kinds =
    "namespaces,customresourcedefinitions,clusterroles,clusterrolebindings,deployments,pods,leases";
  await until(
    run,
    `kubectl get ${kinds} -A -o name`,
    (text) => !/store-operator|tools|cachecluster/.test(text),
  );
}

/** Repeats a command until it succeeds with this output, for at most five minutes. */
async function until(run: Run, command: string, fits: (output: string) => boolean): Promise<void> {
  for (const deadline = Date.now() + 300_000; ; ) {
    const output = await run(command, true).catch((error: Error) =>
      Date.now() > deadline ? Promise.reject(error) : undefined,
    );
    if (output !== undefined && fits(output)) return;
    if (Date.now() > deadline) throw new Error(`${command}: still, after five minutes:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The author's machine: Node, pnpm, make, kubectl, a container tool, and no network for pnpm. */
async function environment(): Promise<Record<string, string | undefined>> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await symlink(process.execPath, join(bin, "node"));
  await symlink((await findTool("kubectl")).path, join(bin, "kubectl"));
  const pnpm = findPnpm(process.env) ?? ["npx", "--yes", "pnpm@12"];
  await writeFile(join(bin, "pnpm"), `#!/bin/sh\nexec ${pnpm.map(quote).join(" ")} "$@"\n`, { mode: 0o755 });
  const { HOME, PATH = "" } = process.env;
  const path = PATH.split(":").filter((entry) => !entry.includes("node_modules"));
  return {
    ...(await installFromStore(root)),
    ...{ HOME, PATH: [bin, ...path].join(":"), NO_COLOR: "1", pnpm_config_offline: "true" },
    ...{ KUBECONFIG: cluster.kubeconfigPath, CONTAINER_TOOL: containerToolPath() },
  };
}
