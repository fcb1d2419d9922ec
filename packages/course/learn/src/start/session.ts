import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { containerToolPath, proveCluster, spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { clusterOf, findPnpm, parsePage } from "@operator-path/walkthrough";
import { listPages } from "../pages.ts";
import { createLearnerEnvironment, type LearnerEnvironment, pnpmSettings } from "./learner-environment.ts";

/** What one `pnpm start` with a terminal has at hand. */
export interface Session extends LearnerEnvironment {
  /** Of the API server. */
  readonly url: string;
  /** The cluster's context in the session's kubeconfig. */
  readonly context: string;
  readonly root: string;
  /** The tutorial's folder, absolute. */
  readonly tutorial: string;
  /** Where learners' folders for this tutorial are: below the repository, ignored by git, never deleted. */
  readonly workshops: string;
  /** The session's own folder, which goes with it: no other session has the same. */
  readonly directory: string;
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
  const temporary = join(folder, "tmp");
  await mkdir(temporary);

  const kubectl = await findTool("kubectl");
  const helm = (await asksForHelm(root, options.tutorial)) ? (await findTool("helm")).path : undefined;
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
      // A person's kuberc may give kubectl other defaults: another context, say.
      KUBERC: "off",
      // kubectl remembers what a server offers; what it remembers of this one must not outlive it.
      KUBECACHEDIR: join(folder, "kubectl"),
      TUTORIAL: tutorial,
      CONTAINER_TOOL: "container-tool",
      ...(await pnpmSettings(root)),
    },
  });
  await proveCluster(cluster, { kubectl: "kubectl", env: environment.env });
  const context = cluster.kubeConfig.getCurrentContext();
  const workshops = workshopsOf(root, options.tutorial);
  return {
    ...{ ...environment, url: cluster.url, context, root, tutorial, workshops },
    ...{ directory: folder, temporary, signal },
  };
}

/** Whether a page of the tutorial does. Not every machine has one. */
export async function asksForHelm(root: string, tutorial: string): Promise<boolean> {
  const pages = (await listPages(root)).filter(({ path }) => basename(dirname(path)) === tutorial);
  const texts = await Promise.all(pages.map(({ path }) => readFile(path, "utf8")));
  return pages.some(({ path }, at) => parsePage(texts[at] ?? "", path).frontMatter.requires.includes("helm"));
}

/** Where learners' folders for a tutorial are. */
export function workshopsOf(root: string, tutorial = ""): string {
  return join(root, ".operator-path", tutorial);
}
