import { checkConfig } from "./config/check-config.ts";
import { forMachine } from "./config/for-machine.ts";
import { badConfig, fieldName, readKindConfig } from "./config/read-config.ts";
import { clusterSchema, type KindClusterConfig, type ReadKindConfig } from "./config/schema.ts";
import { nodeContainers } from "./containers.ts";
import { afterFailure } from "./create/after-failure.ts";
import { waitForNodes } from "./create/wait-for-nodes.ts";
import { KindError } from "./errors/kind-error.ts";
import { sortNodes } from "./get.ts";
import type { KindEvent } from "./kind-event.ts";
import { kubeconfigPathFor } from "./kubeconfig.ts";
import type { KindOptions } from "./options.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { createProgress, type Progress } from "./read-progress.ts";
import { connectRegistry } from "./registry/connect-registry.ts";
import type { RegistryOptions } from "./registry/registry-options.ts";
import { startRegistry } from "./registry/start-registry.ts";
import { runKind } from "./run-kind.ts";

export interface CreateClusterOptions extends KindOptions {
  /** Default: the configuration's, or `kind`. */
  readonly name?: string;
  /** An object, or a file; validated before anything starts. Default: one node. */
  readonly config?: KindClusterConfig | { readonly file: string };
  /** The image of all nodes. Default: KIND_NODE_IMAGE, or the configuration's, or `kindNodeImage` of tools. */
  readonly image?: string;
  /** Seconds until every node has to be Ready. 0: they are not waited for. Default 300. */
  readonly wait?: number;
  /** Whether nodes are kept for a look at them when creating them fails. Default false. */
  readonly retain?: boolean;
  /** Where the cluster's context is written. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
  /** A registry on the network of the nodes, started if it is not there. Default: none. */
  readonly registry?: RegistryOptions;
  readonly onProgress?: (event: KindEvent) => void;
}

export interface KindCluster {
  readonly name: string;
  /** The file that holds the context. */
  readonly kubeconfigPath: string;
  /** `kind-<name>` */
  readonly context: string;
  /** Names of the nodes, which are those of their containers: the control plane first. */
  readonly nodes: readonly string[];
}

/**
 * Creates a cluster and waits until all of its nodes are Ready. Throws KindError; then, and when the signal aborts, what
 * was made is removed again (containers, kubeconfig entry, a registry that this call started), unless `retain` is set.
 */
export async function createCluster(options: CreateClusterOptions = {}): Promise<KindCluster> {
  const config = await readConfig(options.config);
  const name = options.name ?? config.name ?? "kind";
  checkName(name);
  const prepared = await prepare(options);
  const progress = createProgress(options.onProgress ?? (() => undefined));
  const there = await nodeContainers(prepared, name, options.signal);
  if (there.length > 0) throw exists(name);

  const common = {
    engine: prepared.engine,
    env: prepared.env,
    ...(options.signal && { signal: options.signal }),
  };
  const registry = options.registry && (await startRegistry({ ...options.registry, ...common }));
  try {
    await create(name, config, prepared, progress, options);
    const nodes = sortNodes(await nodeContainers(prepared, name, options.signal), name);
    if (options.registry) await connectRegistry(name, { ...options.registry, ...common });
    const { wait = 300, signal } = options;
    if (wait > 0) {
      progress.begin("Waiting for all nodes to be Ready");
      await waitForNodes(prepared, name, { node: nodes[0] ?? "", seconds: wait, signal });
      progress.end(true);
    }
    return {
      name,
      nodes,
      context: `kind-${name}`,
      kubeconfigPath: kubeconfigPathFor(options.kubeconfigPath, prepared.env),
    };
  } catch (error) {
    progress.end(false);
    throw await afterFailure(error, name, prepared, options, registry?.started === true);
  }
}

async function create(
  name: string,
  config: ReadKindConfig,
  prepared: Prepared,
  progress: Progress,
  options: CreateClusterOptions,
): Promise<void> {
  const image = options.image ?? (prepared.env.KIND_NODE_IMAGE || undefined);
  const args = ["create", "cluster", "--name", name, "--config", "-"];
  // What went wrong in a node is asked of the node, before it is removed here.
  args.push("--retain");
  if (options.kubeconfigPath !== undefined) args.push("--kubeconfig", options.kubeconfigPath);
  const { name: _ours, ...rest } = config;
  await runKind(prepared, args, {
    what: `cluster ${name} was not created`,
    cluster: name,
    signal: options.signal,
    input: forMachine(rest, {
      engine: prepared.engine,
      registry: options.registry !== undefined,
      ...(image !== undefined && { image }),
    }),
    onLine: (line) => progress.line(line),
  });
}

async function readConfig(config: CreateClusterOptions["config"]): Promise<ReadKindConfig> {
  if (config === undefined) return { kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4" };
  if ("file" in config) return readKindConfig(config.file);
  const result = checkConfig(config);
  if ("config" in result) return result.config;
  throw badConfig("the configuration", `${fieldName(result.problem.path)}: ${result.problem.words}`);
}

function checkName(name: string): void {
  const result = clusterSchema.shape.name.safeParse(name);
  if (!result.success) throw badConfig(`cluster ${name}`, `its name ${result.error.issues[0]?.message}`);
}

function exists(name: string): KindError {
  return new KindError({
    problem: "name-exists",
    what: `cluster ${name} was not created`,
    cause: `there is a cluster ${name} already`,
    fix: `Use it, take another name (--name), or remove it: \`pnpm kind-down --name ${name}\`.`,
  });
}
