import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Cluster, containerToolPath, proveCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import type { VitestRunner } from "../exercise/test-run.ts";
import { createVitestRunner } from "../exercise/vitest-runner.ts";
import { noSamples, type Samples } from "../expect/samples.ts";
import { closeSnapshot, type Snapshot, takeSnapshot } from "../leaks/leaks.ts";
import { type Decoy, startDecoy } from "../oracles/decoy.ts";
import type { Page } from "../page/page.ts";
import { projectOf, type ReplayOptions, startProjectOf, writeStart } from "../project/page-chain.ts";
import { installFromStore } from "../project/pnpm-store.ts";
import { type PreparedProject, packNeeds, prepareProject } from "../project/prepare.ts";
import { type Acceptance, createAcceptance } from "./acceptance.ts";
import { bringImages } from "./bring-images.ts";
import { createEnvironment, giveKubeconfig, type RunEnvironment } from "./environment.ts";
import { closeTerminals, type PageTerminals } from "./page-terminal.ts";
import { defaultLimits, type Limits, type RunOptions } from "./run-options.ts";
import { removeFolder } from "./run-program.ts";
import {
  agreedContext,
  clusterOf,
  enforceRestricted,
  proxyVariables,
  startCluster,
} from "./start-cluster.ts";

/** A run of a page, from `prepareRun` to `closeRun`. */
export interface Run {
  readonly page: Page;
  readonly options: RunOptions;
  readonly provider: Cluster["provider"];
  readonly limits: Limits;
  readonly environment: RunEnvironment;
  readonly cluster: Cluster | undefined;
  /** The run has started the cluster, and stops it. */
  readonly ownsCluster: boolean;
  readonly project: PreparedProject | undefined;
  readonly terminals: PageTerminals;
  /** Runs the exercises' tests. */
  readonly vitest: VitestRunner;
  /** What existed before the page. */
  readonly snapshot: Snapshot;
  /** Undefined if the run does not own the cluster. */
  readonly decoy: Decoy | undefined;
  /** Set in a run that accepts output that differs. */
  readonly acceptance: Acceptance | undefined;
  /** The learner's values of the page's samples. Each match may add some. */
  samples: Samples;
  /** Set once the cluster rested while an operator ran. */
  sawOperatorRest: boolean;
}

/**
 * Prepares the folder, the environment, the cluster and the packages of a run. Rejects if one of them is not
 * available, after removing the others.
 */
export async function prepareRun(
  page: Page,
  provider: Cluster["provider"],
  options: RunOptions,
): Promise<Run> {
  const tools = await findTools(page, options);
  const environment = await prepareEnvironment(page, tools, options);
  const ownsCluster = page.frontMatter.requires.includes("kubectl") && options.cluster === undefined;
  const [started, prepared] = await Promise.allSettled([
    ownsCluster ? startOwnCluster(page, provider, environment) : options.cluster,
    preparePackages(page, environment, options),
  ]);
  const cluster = started.status === "fulfilled" ? started.value : undefined;
  let decoy: Decoy | undefined;
  try {
    if (started.status === "rejected") throw started.reason;
    if (prepared.status === "rejected") throw prepared.reason;
    if (cluster) await connect(cluster, environment, tools);
    if (options.cluster?.images) await bringImages(page, options.cluster.images, environment, options);
    if (cluster?.provider === "kind" && cluster.namespace === undefined) await enforceRestricted(cluster);
    decoy = ownsCluster && cluster ? await startDecoy(cluster.kubeConfig) : undefined;
    return {
      page,
      options,
      provider,
      limits: { ...defaultLimits(provider), ...options.limits },
      environment,
      cluster,
      ownsCluster,
      project: prepared.value,
      terminals: new Map(),
      vitest: createVitestRunner(),
      snapshot: await takeSnapshot(page, cluster),
      decoy,
      acceptance: options.accept ? createAcceptance(page, [environment.folder, options.root]) : undefined,
      samples: noSamples,
      sawOperatorRest: false,
    };
  } catch (error) {
    await decoy?.close();
    if (ownsCluster) await cluster?.stop();
    await removeFolder(environment.folder);
    throw error;
  }
}

/** Ends everything that the run started, and removes its folder unless `keep`. */
export async function closeRun(run: Run): Promise<void> {
  await closeTerminals(run.terminals);
  await run.vitest[Symbol.asyncDispose]();
  await run.decoy?.close();
  await closeSnapshot(run.snapshot);
  if (run.ownsCluster) await run.cluster?.stop();
  if (!run.options.keep) await removeFolder(run.environment.folder);
}

/**
 * Returns the name of the container tool on a page's PATH, which Makefiles call as $(CONTAINER_TOOL). It is
 * not called docker, so that a page cannot depend on the docker of a machine.
 */
function containerTool({ cluster }: RunOptions): string {
  return cluster?.images?.containers ? "kind-container-tool" : "container-tool";
}

/** Returns name → absolute path of the programs that the run gives its page. */
async function findTools({ frontMatter }: Page, options: RunOptions): Promise<ReadonlyMap<string, string>> {
  const { cluster, shared } = options;
  const tools = new Map<string, string>();
  for (const name of frontMatter.requires) {
    if (name === "kubectl" || name === "helm")
      tools.set(name, await (shared ? shared.tool(name) : findTool(name).then(({ path }) => path)));
  }
  tools.set(containerTool(options), cluster?.images?.tool ?? containerToolPath());
  for (const [name, path] of cluster?.images?.programs ?? []) tools.set(name, path);
  return tools;
}

async function prepareEnvironment(
  page: Page,
  tools: ReadonlyMap<string, string>,
  options: RunOptions,
): Promise<RunEnvironment> {
  const { requires, project } = page.frontMatter;
  const { cluster, parent, root, signal } = options;
  // `operator-sdk init` finds the packages itself, as it does for a reader, but without network.
  const fromStore = scaffolds(page) &&
    requires.includes("pnpm") && {
      ...(await installFromStore(root, signal)),
      pnpm_config_offline: "true",
    };
  return createEnvironment({
    tools,
    requires,
    variables: {
      TUTORIAL: tutorialOf(page),
      CONTAINER_TOOL: containerTool(options),
      ...cluster?.images?.env,
      // A given cluster, and the registry of its nodes, may be behind a proxy. The run's own cluster is on
      // this machine.
      ...(cluster && proxyVariables(process.env)),
      ...fromStore,
      ...(cluster?.namespace !== undefined && agreedContext(cluster)),
    },
    ...(parent !== undefined && { parent }),
    ...(project !== undefined && { project }),
  });
}

async function startOwnCluster(
  page: Page,
  provider: Cluster["provider"],
  { folder, activity }: RunEnvironment,
): Promise<Cluster> {
  const directory = join(folder, "cluster");
  mkdirSync(directory);
  return startCluster(provider, {
    ...(await clusterOf(tutorialOf(page), "walkthrough")),
    directory,
    activity,
  });
}

/** Gives the page's shells a kubeconfig, and proves that kubectl reaches the cluster with it. */
async function connect(
  cluster: Cluster,
  environment: RunEnvironment,
  tools: ReadonlyMap<string, string>,
): Promise<void> {
  giveKubeconfig(environment, cluster.kubeconfigPath);
  const kubectl = tools.get("kubectl");
  if (kubectl !== undefined) await proveCluster(cluster, { kubectl, env: environment.env });
}

/** Writes the learner's folder as the page finds it, and packs the packages that its project needs. */
async function preparePackages(
  page: Page,
  environment: RunEnvironment,
  options: RunOptions,
): Promise<PreparedProject | undefined> {
  const { root, signal, shared } = options;
  const committed = projectOf(page, root);
  const needs = committed !== undefined && {
    ...{ root, project: committed, startProject: startProjectOf(page, root) },
    ...(signal && { signal }),
  };
  const inTurn = shared?.inTurn ?? (<T>(work: () => Promise<T>) => work());
  // Packing takes a while the first time. Done here, it does not slow down a command that the page shows.
  if (needs && scaffolds(page)) await inTurn(() => packNeeds(needs));
  await writeStart(page, environment.work, replayOptions(environment, options));
  if (!needs || scaffolds(page)) return undefined;
  return inTurn(() => prepareProject({ ...needs, packages: join(environment.folder, "packages") }));
}

function scaffolds({ frontMatter }: Page): boolean {
  return frontMatter.requires.includes("operator-sdk");
}

function tutorialOf({ path }: Page): string {
  return dirname(resolve(path));
}

export function replayOptions({ env }: RunEnvironment, { signal, shared }: RunOptions): ReplayOptions {
  return { env, ...(signal && { signal }), ...(shared && { shared }) };
}
