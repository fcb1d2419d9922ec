import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import {
  type ClusterFaults,
  containerToolPath,
  proveCluster,
  spawnEmbeddedCluster,
} from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { clusterOf, findPnpm } from "@operator-path/walkthrough";
import { sessionClusterVariable } from "../check/session-cluster.ts";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { createLearnerEnvironment, type LearnerEnvironment, pnpmSettings } from "./learner-environment.ts";

/** The state of one `pnpm start` in a terminal. */
export interface Session extends LearnerEnvironment {
  /** URL of the API server. */
  readonly url: string;
  /** The cluster's context in the session's kubeconfig. */
  readonly context: string;
  readonly faults: ClusterFaults;
  readonly root: string;
  /** Absolute path of the tutorial's folder. */
  readonly tutorial: string;
  /**
   * Folder of the learners' folders for this tutorial. It is in the repository, ignored by git, and never
   * deleted.
   */
  readonly workshops: string;
  /** The session's own folder, which is removed at its end. */
  readonly directory: string;
  /** Folder for temporary files of background programs. It is removed with the session. */
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

/** Starts the session's cluster, and prepares its environment. `undo` removes all of it. */
export async function openSession(options: SessionOptions, undo: AsyncDisposableStack): Promise<Session> {
  const { root, signal } = options;
  const tutorial = join(root, "tutorials", options.tutorial);
  const folder = await mkdtemp(join(tmpdir(), "operator-path-start-"));
  undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const temporary = join(folder, "tmp");
  await mkdir(temporary);

  const kubectl = await findTool("kubectl");
  const helm = (await needsHelm(root, options.tutorial)) ? (await findTool("helm")).path : undefined;
  const plan = await clusterOf(tutorial, "start");
  const cluster = await spawnEmbeddedCluster({ ...plan, directory: join(folder, "cluster") });
  undo.defer(() => cluster.stop());
  const environment = await createLearnerEnvironment({
    bin: join(folder, "bin"),
    kubectl: kubectl.path,
    ...(helm !== undefined && { helm }),
    containerTool: containerToolPath(),
    pnpm: findPnpm(process.env),
    variables: {
      KUBECONFIG: cluster.kubeconfigPath,
      [sessionClusterVariable]: cluster.kubeconfigPath,
      // A person's kuberc may give kubectl other defaults, such as another context.
      KUBERC: "off",
      // kubectl caches what a server offers. The cache of this server must not outlive it.
      KUBECACHEDIR: join(folder, "kubectl"),
      TUTORIAL: tutorial,
      CONTAINER_TOOL: "container-tool",
      // For `exercise` in another terminal.
      ...(process.env.OPERATOR_PATH_WORK && { OPERATOR_PATH_WORK: workshopsOf(root) }),
      ...(await pnpmSettings(root)),
    },
  });
  await proveCluster(cluster, { kubectl: "kubectl", env: environment.env });
  const context = cluster.kubeConfig.getCurrentContext();
  const workshops = workshopsOf(root, options.tutorial);
  return {
    ...{ ...environment, url: cluster.url, context, faults: cluster.faults, root, tutorial, workshops },
    ...{ directory: folder, temporary, signal },
  };
}

/** Reports whether a page of the tutorial needs helm, which not every machine has. */
export async function needsHelm(root: string, tutorial: string): Promise<boolean> {
  const pages = (await listPages(root)).filter(({ path }) => basename(dirname(path)) === tutorial);
  return pages.some((page) => readPage(page).frontMatter.requires.includes("helm"));
}

/**
 * Returns the folder of the learners' folders for a tutorial: below OPERATOR_PATH_WORK, or else below
 * `.operator-path` of the repository.
 */
export function workshopsOf(
  root: string,
  tutorial = "",
  { OPERATOR_PATH_WORK: work }: NodeJS.ProcessEnv = process.env,
): string {
  return join(work ? resolve(work) : join(root, ".operator-path"), tutorial);
}
