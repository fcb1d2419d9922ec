import { mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeConfig } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { onTestFinished } from "vitest";

/** A project's operator as the cluster would run it: its manifests are applied, and it has its ServiceAccount's rights. */
export interface RunningProject {
  /** As the administrator. @returns standard output */
  kubectl(...args: string[]): Promise<string>;
  /** As the operator's ServiceAccount. */
  asOperator(...args: string[]): Promise<string>;
  /** What the operator has said so far. */
  log(): string;
}

/** The ServiceAccount of a project that is called memcached-operator. */
const account = ["memcached-operator-controller-manager", "--namespace=memcached-operator-system"];

/**
 * Starts the operator of a project on an embedded cluster (TEST_CLUSTER=envtest: a real API server), with the packages of this workspace, until the end of the test.
 *
 * @param project.cwd its folder, whose manifests have been generated
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
  // Its Pod would want an image: it runs here, with the rights of the Pod's ServiceAccount.
  await kubectl("delete", "deployment", "--all", "--namespace=memcached-operator-system");
  const token = await kubectl("create", "token", ...account);
  await writeFile(kubeconfig("operator"), withToken(cluster.kubeConfig, token), { mode: 0o600 });

  const operator = execa(process.execPath, ["--conditions=@operator-path/source", "src/main.ts"], {
    ...{ cwd, env: { ...project.env, KUBECONFIG: kubeconfig("operator") }, extendEnv: false },
    ...{ all: true, reject: false },
  });
  let said = "";
  operator.all.on("data", (data: Buffer) => {
    said += data.toString();
  });
  onTestFinished(async () => {
    operator.kill("SIGTERM");
    await operator;
  });
  return { kubectl, asOperator: kubectlAs("operator"), log: () => said };
}

/** The packages that a project imports, as its install would put them there. */
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
