import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SpawnedCluster, spawnEmbeddedCluster, spawnEnvtestCluster } from "@operator-path/cluster";
import { findControlPlane, findTool } from "@operator-path/tools";
import { openShell } from "./shell.ts";

export type Provider = "embedded" | "envtest";

/** An empty folder outside the repository, called memcached-operator, and what is needed to make a project of it and run it. */
export interface Proof extends AsyncDisposable {
  /** What the project is in; there is room beside it. */
  readonly folder: string;
  readonly project: string;
  readonly shell: ReturnType<typeof openShell>;
  /** How the shell calls the command line of this checkout. */
  readonly sdk: string;
  /** Installs what the project asks for, without network. */
  install(): Promise<void>;
  /** Starts a cluster, of the packages that the project has installed, for all later commands. */
  startCluster(): Promise<void>;
  /** Whether TEST_CLUSTER=envtest needs nothing that would have to be built first; says so if not. */
  mayRunEnvtest(): Promise<boolean>;
  /** Waits until nothing of the operator's is in the cluster any more. */
  nothingLeft(): Promise<void>;
}

/** @param provider of the cluster */
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
  // The pnpm that runs this, or one that npx has kept.
  const pnpm = env.npm_execpath?.endsWith("pnpm") ? `"${env.npm_execpath}"` : "npx --yes --offline pnpm@12";
  const main = join(import.meta.dirname, "../../main.ts");
  let cluster: Pick<SpawnedCluster, "kubeconfigPath" | "stop"> | undefined;

  return {
    ...{ folder, project, shell },
    sdk: `"${process.execPath}" --conditions=@operator-path/source "${main}"`,
    async install() {
      // A proxy that nobody listens at: whatever wants the network fails.
      await shell.run(
        `env HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 ${pnpm} install --offline`,
      );
    },
    async startCluster() {
      // That of the project's own node_modules: JavaScript, in an ordinary Node.
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
        console.log("     -    TEST_CLUSTER=envtest: not run, there is no kube-apiserver on this machine");
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
