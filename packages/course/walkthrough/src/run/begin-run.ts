import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createClient, namespaces } from "@operator-path/client";
import { type Cluster, containerToolPath, proveCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { noSamples } from "../expect/samples.ts";
import type { Page } from "../page/page.ts";
import { installFromStore } from "../project/pnpm-store.ts";
import { type PreparedProject, packNeeds, prepareProject } from "../project/prepare.ts";
import { bringImages } from "./bring-images.ts";
import { clusterOf } from "./cluster-of.ts";
import { type Decoy, startDecoy } from "./decoy/decoy.ts";
import { createEnvironment, giveKubeconfig, type RunEnvironment } from "./environment.ts";
import { startLeakCheck } from "./leaks.ts";
import { writeStart } from "./page-chain.ts";
import { projectOf } from "./project-of.ts";
import { proxyVariables } from "./proxies.ts";
import type { ReplayOptions } from "./replay.ts";
import type { Run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import { spawnProvider } from "./spawn-provider.ts";

/** Prepares folder, environment, cluster and packages. Rejects when one of them cannot be had; nothing is left then. */
export async function beginRun(page: Page, o: RunOptions): Promise<Run> {
  const { frontMatter } = page;
  const tutorial = dirname(resolve(page.path));
  const tools = new Map<string, string>();
  for (const name of frontMatter.requires) {
    if (name === "kubectl" || name === "helm")
      tools.set(name, await (o.shared ? o.shared.tool(name) : findTool(name).then(({ path }) => path)));
  }
  const images = o.cluster?.images;
  // A cluster of one's own, and what its nodes pull, may lie behind one. Ours is on this machine.
  const proxies = o.cluster && proxyVariables(process.env);
  // What Makefiles of pages call as $(CONTAINER_TOOL) stands in for docker, under a name of its own: a page must not
  // depend on which of the two a machine has.
  const containerTool = images?.containers ? "kind-container-tool" : "container-tool";
  tools.set(containerTool, images?.tool ?? containerToolPath());
  for (const [name, path] of images?.programs ?? []) tools.set(name, path);
  const wantsCluster = frontMatter.requires.includes("kubectl");
  const ownsCluster = wantsCluster && o.cluster === undefined;
  // `operator-sdk init` says itself where the packages are: a page shows what a person gets, but for the network.
  const scaffolds = frontMatter.requires.includes("operator-sdk");
  const fromStore = scaffolds &&
    frontMatter.requires.includes("pnpm") && {
      ...(await installFromStore(o.root, o.signal)),
      pnpm_config_offline: "true",
    };
  const environment = createEnvironment({
    tools,
    requires: frontMatter.requires,
    variables: {
      TUTORIAL: tutorial,
      CONTAINER_TOOL: containerTool,
      ...images?.env,
      ...proxies,
      ...fromStore,
      ...(o.cluster?.namespace !== undefined && agreedContext(o.cluster)),
    },
    ...(o.parent !== undefined && { parent: o.parent }),
    ...(frontMatter.project !== undefined && { project: frontMatter.project }),
  });
  const startCluster = async (): Promise<Cluster | undefined> => {
    if (!ownsCluster) return o.cluster;
    const directory = join(environment.folder, "cluster");
    mkdirSync(directory);
    return spawnProvider(o.provider ?? "embedded", {
      ...(await clusterOf(tutorial, "walkthrough")),
      directory,
      activity: environment.activity,
    });
  };
  const committed = projectOf(page, o.root);
  const what = committed !== undefined && {
    root: o.root,
    project: committed,
    ...(o.signal && { signal: o.signal }),
  };
  const inTurn = o.shared?.inTurn ?? (<T>(work: () => Promise<T>) => work());
  const prepare = async (): Promise<PreparedProject | undefined> => {
    // Before the commands of earlier pages, which use it, and unseen: a page need not say that it takes a while once.
    if (what && scaffolds) await inTurn(() => packNeeds(what));
    await writeStart(page, environment.work, replayOptions(environment, o));
    if (!what || scaffolds) return undefined;
    return inTurn(() => prepareProject({ ...what, packages: join(environment.folder, "packages") }));
  };
  const [started, prepared] = await Promise.allSettled([startCluster(), prepare()]);
  const cluster = started.status === "fulfilled" ? started.value : undefined;
  let decoy: Decoy | undefined;
  try {
    if (started.status === "rejected") throw started.reason;
    if (prepared.status === "rejected") throw prepared.reason;
    if (cluster) {
      giveKubeconfig(environment, cluster.kubeconfigPath);
      const kubectl = tools.get("kubectl");
      if (kubectl !== undefined) await proveCluster(cluster, { kubectl, env: environment.env });
    }
    if (images) {
      const doing = (what: string): void => o.reporter?.doing?.(what, 1);
      const note = (text: string): void => o.reporter?.note?.(text);
      await bringImages(page, images, environment, { signal: o.signal, doing, note });
    }
    if (cluster?.provider === "kind" && cluster.namespace === undefined) await enforceRestricted(cluster);
    decoy = ownsCluster && cluster ? await startDecoy(cluster.kubeConfig) : undefined;
    const leaks = await startLeakCheck(page, environment, cluster);
    const project = prepared.value;
    return {
      environment,
      cluster,
      ownsCluster,
      project,
      terminals: new Map(),
      samples: noSamples,
      leaks,
      decoy,
      sawOperatorRest: false,
    };
  } catch (error) {
    await decoy?.close();
    if (ownsCluster) await cluster?.stop();
    rmSync(environment.folder, { recursive: true, force: true });
    throw error;
  }
}

/** The person has agreed to this cluster, so Makefiles of pages need not ask again: `make` takes it as CONTEXT=… of its command line. */
function agreedContext({ kubeConfig }: Cluster): Readonly<Record<string, string>> {
  return { MAKEFLAGS: `CONTEXT=${kubeConfig.getCurrentContext()}` };
}

/** As `spawnProvider` has it for clusters of a run's own: the kind cluster of all pages is ours, and is deleted at the end. */
async function enforceRestricted({ kubeConfig }: Cluster): Promise<void> {
  const client = createClient(kubeConfig, { userAgent: "walkthrough", onWarning: () => {} });
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.resource(namespaces).patch("default", { metadata: { labels } }, { type: "merge" });
  await client.close();
}

export function replayOptions({ env }: RunEnvironment, { signal, shared }: RunOptions): ReplayOptions {
  return { env, ...(signal && { signal }), ...(shared && { shared }) };
}
