import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import {
  createCluster,
  deleteCluster,
  findEngine,
  getKubeconfig,
  inspectCluster,
  KindError,
  type KindEvent,
  listClusters,
} from "@operator-path/kind";
import type { Cluster, ClusterImages } from "../cluster.ts";
import { underOneContext } from "../existing/context.ts";
import { writePrivateFile } from "../private-file.ts";
import { UserError } from "../user-error.ts";
import { kindImages } from "./images.ts";

export interface KindClusterOptions {
  /** Default: `operator-path`. Nodes are named after it. */
  readonly name?: string;
  /**
   * True: a cluster of that name must exist, and stop() does not delete it. Its contents are not checked. For
   * a user's cluster, see openExistingCluster. Default: a cluster is created, and stop() deletes it.
   */
  readonly reuse?: boolean;
  /** A kind-cluster.yaml. Default: one node. */
  readonly config?: string;
  /** Folder for the kubeconfig, created if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Called for each step of the creation. */
  readonly onProgress?: (event: KindEvent) => void;
  /** Aborting it while the cluster is created removes what was created. */
  readonly signal?: AbortSignal;
  /** The environment of kind and the engine. Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Real Kubernetes with containers as nodes. */
export interface KindProviderCluster extends Cluster {
  readonly provider: "kind";
  readonly images: ClusterImages;
}

/**
 * Creates a kind cluster, or uses an existing one, and resolves when its nodes are ready. Its kubeconfig is a
 * copy (mode 0600) whose only context is `operator-path`. Writes none of the user's files.
 *
 * @throws KindError with cause and fix: no engine, a taken name, …; UserError if the cluster to reuse does
 * not exist
 */
export async function startKindCluster(options: KindClusterOptions = {}): Promise<KindProviderCluster> {
  const { name = "operator-path", signal, env = process.env } = options;
  const engine = await findEngine({ env, ...(signal && { signal }) });
  const common = { engine, env, ...(signal && { signal }) };
  if (options.reuse) {
    const { nodes, problem } = await inspectCluster(name, common);
    if (nodes.length === 0) throw new UserError(missingCluster(name, await listClusters(common)));
    if (problem) {
      const what = `the kind cluster ${name} cannot be used`;
      throw new KindError({ problem: "unhealthy", what, ...problem });
    }
  }
  await using undo = new AsyncDisposableStack();
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const kubeconfigPath = join(directory, "kubeconfig");
  const kindKubeconfig = join(directory, "kubeconfig-of-kind");
  undo.defer(async () => {
    for (const path of options.directory === undefined
      ? [directory]
      : [kubeconfigPath, kindKubeconfig, join(directory, "container-tool")])
      await rm(path, { recursive: true, force: true });
  });
  const images = await kindImages(name, engine, directory, env);
  if (!options.reuse) {
    await createCluster({
      ...common,
      name,
      kubeconfigPath: kindKubeconfig,
      ...(options.config !== undefined && { config: { file: options.config } }),
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    // Without the signal, because an abort in particular must delete the cluster.
    undo.defer(async () => void (await deleteCluster({ engine, env, name, kubeconfigPath: kindKubeconfig })));
  }
  await writePrivateFile(kubeconfigPath, underOneContext(await getKubeconfig(name, common)));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    provider: "kind",
    name,
    kubeconfigPath,
    kubeConfig,
    images,
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

function missingCluster(name: string, there: readonly string[]): string {
  const others = there.length === 0 ? "and no other one" : `only ${there.join(", ")}`;
  return `there is no kind cluster ${name}, ${others}: \`pnpm kind-up --name ${name}\` creates it`;
}
