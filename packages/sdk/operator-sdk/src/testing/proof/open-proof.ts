import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SpawnedCluster, spawnEmbeddedCluster, spawnEnvtestCluster } from "@operator-path/cluster";
import { findControlPlane, findTool } from "@operator-path/tools";
import { openShell } from "./shell.ts";

export type Provider = "embedded" | "envtest";

/**
 * An empty folder outside the repository with the name memcached-operator, and the means to create and run a
 * project.
 */
export interface Proof extends AsyncDisposable {
  /** The folder around the project, for other files. */
  readonly folder: string;
  readonly project: string;
  readonly shell: ReturnType<typeof openShell>;
  /** The command that runs the operator-sdk of this checkout. */
  readonly sdk: string;
  /** Installs the dependencies of the project without network. */
  install(): Promise<void>;
  /** Starts a cluster for all later commands, with the packages that the project has installed. */
  startCluster(): Promise<void>;
  /** Returns whether envtest can run without building a control plane first. Prints a line if it cannot. */
  mayRunEnvtest(): Promise<boolean>;
  /** Waits until the cluster has no objects of the operator. */
  nothingLeft(): Promise<void>;
}

/** Opens the folder. @param provider the provider of the cluster */
export async function openProof(provider: Provider): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), "prove-scaffold-"));
  const project = join(folder, "memcached-operator");
  mkdirSync(project);
  const tools = await Promise.all([findTool("kubectl"), findTool("helm")]);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CONTAINER_TOOL: "node_modules/.bin/container-tool",
    PATH: [process.execPath, ...tools.map(({ path }) => path)]
      .map((file) => dirname(file))
      .concat(process.env.PATH ?? "")
      .join(":"),
  };
  const shell = openShell(project, env);
  // Use the pnpm that runs this script, or one in the cache of npx.
  const pnpm = env.npm_execpath?.endsWith("pnpm") ? `"${env.npm_execpath}"` : "npx --yes --offline pnpm@12";
  const main = join(import.meta.dirname, "../../main.ts");
  let cluster: Pick<SpawnedCluster, "kubeconfigPath" | "stop"> | undefined;

  return {
    ...{ folder, project, shell },
    sdk: `"${process.execPath}" --conditions=@operator-path/source "${main}"`,
    async install() {
      // No proxy listens at this address, so any network access fails.
      await shell.run(
        `env HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 ${pnpm} install --offline`,
      );
    },
    async startCluster() {
      // Load the compiled package from the project's own node_modules.
      const file = join(project, "node_modules/@operator-path/cluster/dist/index.js");
      const installed = (await import(pathToFileURL(file).href)) as {
        spawnEmbeddedCluster: typeof spawnEmbeddedCluster;
        spawnEnvtestCluster: typeof spawnEnvtestCluster;
      };
      const spawn = provider === "envtest" ? installed.spawnEnvtestCluster : installed.spawnEmbeddedCluster;
      cluster = await spawn({ directory: join(folder, "cluster") });
      env.KUBECONFIG = cluster.kubeconfigPath;
    },
    async mayRunEnvtest() {
      const options = { controllerManager: true, mayBuild: false };
      const found = await findControlPlane(options).catch(() => undefined);
      if (!found)
        console.log("     -    TEST_CLUSTER=envtest: skipped, because this machine has no kube-apiserver");
      return found !== undefined;
    },
    async nothingLeft() {
      const kinds = [
        ...["namespaces", "customresourcedefinitions", "clusterroles", "clusterrolebindings"],
        ...["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
        ...["deployments", "pods", "leases", "secrets"],
      ];
      await shell.until(`kubectl get ${kinds.join(",")} -A -o name`, (text) => !text.includes("memcached"));
    },
    async [Symbol.asyncDispose]() {
      await shell.end();
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
