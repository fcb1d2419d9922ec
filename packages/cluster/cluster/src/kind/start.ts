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
  /** Default `operator-path`. Nodes are named after it. */
  readonly name?: string;
  /**
   * True: a cluster of that name has to be there, and stop() does not delete it. What is in it is nobody's care here: for one of a
   * person's see openExistingCluster. Default: one is created, and deleted by stop().
   */
  readonly reuse?: boolean;
  /** A kind-cluster.yaml. Default: one node. */
  readonly config?: string;
  /** Folder for the kubeconfig, made if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Told of each step of the creation. */
  readonly onProgress?: (event: KindEvent) => void;
  /** Aborted while the cluster is created: what was made is removed. */
  readonly signal?: AbortSignal;
  /** Of kind and the engine. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Real Kubernetes, whose nodes are containers. */
export interface KindProviderCluster extends Cluster {
  readonly provider: "kind";
  readonly images: ClusterImages;
}

/**
 * Creates a kind cluster, or takes one that is there, and resolves when its nodes are ready. Its kubeconfig is a copy (mode 0600)
 * whose only context is `operator-path`: no file of the person's is written.
 *
 * @throws KindError with the cause and the way out: no engine, a name that is taken, …; UserError for a cluster to reuse that is not there
 */
export async function startKindCluster(o: KindClusterOptions = {}): Promise<KindProviderCluster> {
  const { name = "operator-path", signal, env = process.env } = o;
  const engine = await findEngine({ env, ...(signal && { signal }) });
  const common = { engine, env, ...(signal && { signal }) };
  if (o.reuse) {
    const { nodes, problem } = await inspectCluster(name, common);
    if (nodes.length === 0) throw new UserError(notThere(name, await listClusters(common)));
    if (problem) {
      const what = `the kind cluster ${name} cannot be used`;
      throw new KindError({ problem: "unhealthy", what, ...problem });
    }
  }
  await using undo = new AsyncDisposableStack();
  const directory = resolve(o.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const kubeconfigPath = join(directory, "kubeconfig");
  const kindsOwn = join(directory, "kubeconfig-of-kind");
  undo.defer(async () => {
    for (const path of o.directory === undefined
      ? [directory]
      : [kubeconfigPath, kindsOwn, join(directory, "container-tool")])
      await rm(path, { recursive: true, force: true });
  });
  const images = await kindImages(name, engine, directory, env);
  if (!o.reuse) {
    await createCluster({
      ...common,
      name,
      kubeconfigPath: kindsOwn,
      ...(o.config !== undefined && { config: { file: o.config } }),
      ...(o.onProgress && { onProgress: o.onProgress }),
    });
    // Not with the signal: it is deleted above all when that has been aborted.
    undo.defer(async () => void (await deleteCluster({ engine, env, name, kubeconfigPath: kindsOwn })));
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

function notThere(name: string, there: readonly string[]): string {
  const others = there.length === 0 ? "there is none" : `there are ${there.join(", ")}`;
  return `there is no kind cluster ${name}, ${others}: \`pnpm kind-up --name ${name}\` makes it`;
}
