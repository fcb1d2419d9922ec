import { mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeConfig } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { onTestFinished } from "vitest";

/** A project's operator with its manifests applied, and with the permissions of its ServiceAccount. */
export interface RunningProject {
  /** Runs kubectl as the administrator, and returns its standard output. */
  kubectl(...args: string[]): Promise<string>;
  /** Runs kubectl as the operator's ServiceAccount, and returns its standard output. */
  asOperator(...args: string[]): Promise<string>;
  /** Returns the output of the operator so far. */
  log(): string;
}

/** The ServiceAccount of a project with the name memcached-operator. */
const account = ["memcached-operator-controller-manager", "--namespace=memcached-operator-system"];

/**
 * Starts the operator of a project with the packages of this workspace. Stops it at the end of the test. The
 * cluster is embedded, or has a real API server with TEST_CLUSTER=envtest.
 *
 * @param project.cwd the folder of the project, with generated manifests
 */
export async function runProject(project: {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}): Promise<RunningProject> {
  const { cwd } = project;
  linkPackages(cwd);
  const cluster = await startTestCluster({
    controllers: true,
    provider: process.env.TEST_CLUSTER === "envtest" ? "envtest" : "embedded",
  });
  onTestFinished(() => cluster.stop());
  const { path } = await findTool("kubectl");
  const kubeconfig = (name: string) => join(cwd, "..", name);
  await writeFile(kubeconfig("admin"), cluster.kubeConfig.exportConfig(), { mode: 0o600 });
  const kubectlAs =
    (who: string) =>
    async (...args: string[]) =>
      (await execa(path, [`--kubeconfig=${kubeconfig(who)}`, ...args], { cwd })).stdout;
  const kubectl = kubectlAs("admin");
  await kubectl("apply", "-k", "config/default");
  // A Pod would need an image. So the operator runs as a local process with the Pod's ServiceAccount.
  await kubectl("delete", "deployment", "--all", "--namespace=memcached-operator-system");
  const token = await kubectl("create", "token", ...account);
  await writeFile(kubeconfig("operator"), withToken(cluster.kubeConfig, token), { mode: 0o600 });

  const operator = execa(process.execPath, ["--conditions=@operator-path/source", "src/main.ts"], {
    ...{ cwd, env: { ...project.env, KUBECONFIG: kubeconfig("operator") }, extendEnv: false },
    ...{ all: true, reject: false },
  });
  let output = "";
  operator.all.on("data", (data: Buffer) => {
    output += data.toString();
  });
  onTestFinished(async () => {
    operator.kill("SIGTERM");
    await operator;
  });
  return { kubectl, asOperator: kubectlAs("operator"), log: () => output };
}

/** Links the packages that a project imports into its node_modules. */
export function linkPackages(cwd: string): void {
  const own = realpathSync(join(import.meta.dirname, "../.."));
  const scope = join(cwd, "node_modules/@operator-path");
  mkdirSync(scope, { recursive: true });
  for (const name of readdirSync(dirname(own))) symlinkSync(join(dirname(own), name), join(scope, name));
}

function withToken(kubeConfig: KubeConfig, token: string): string {
  const config = JSON.parse(kubeConfig.exportConfig()) as { users: { user: object }[] };
  return JSON.stringify({ ...config, users: config.users.map((user) => ({ ...user, user: { token } })) });
}
