import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type SpawnedCluster, spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";

/** What one `pnpm start` with a terminal has at hand. */
export interface Session {
  readonly cluster: SpawnedCluster;
  /** For every command that the learner sees: the right kubectl and node first on PATH, KUBECONFIG, TUTORIAL. */
  readonly env: NodeJS.ProcessEnv;
  /** The tutorial's folder. */
  readonly tutorial: string;
  /** The learner's own folder. It stays, unless it is empty. */
  readonly work: string;
  /** For what programs in the background leave; goes with the session. */
  readonly temporary: string;
  /** Aborts on Ctrl+C. */
  readonly signal: AbortSignal;
}

export interface SessionOptions {
  readonly root: string;
  /** Name of a folder below `tutorials/`. */
  readonly tutorial: string;
  readonly signal: AbortSignal;
}

/** Starts a cluster of the session's own, and prepares the environment; `undo` takes it all away again. */
export async function openSession(options: SessionOptions, undo: AsyncDisposableStack): Promise<Session> {
  const { root, signal } = options;
  const tutorial = join(root, "tutorials", options.tutorial);
  const folder = await mkdtemp(join(tmpdir(), "operator-path-start-"));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const work = join(root, ".operator-path", options.tutorial);
  await mkdir(work, { recursive: true });
  undo.defer(() => removeIfEmpty(work));

  const kubectl = await findTool("kubectl");
  const cluster = await spawnEmbeddedCluster({ name: "start", directory: join(folder, "cluster") });
  undo.defer(() => cluster.stop());
  const env = {
    ...process.env,
    PATH: [dirname(kubectl.path), dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
    KUBECONFIG: cluster.kubeconfigPath,
    // kubectl remembers what a server offers; what it remembers of this one must not outlive it.
    KUBECACHEDIR: join(folder, "kubectl"),
    TUTORIAL: tutorial,
  };
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  return { cluster, env, tutorial, work, temporary, signal };
}

async function removeIfEmpty(folder: string): Promise<void> {
  // rmdir refuses a folder with anything in it, and that is what is wanted.
  for (const path of [folder, dirname(folder)]) await rmdir(path).catch(() => undefined);
}
