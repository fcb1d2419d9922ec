import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFailure } from "./after-failure.ts";
import { forMachine } from "./config/for-machine.ts";
import { badConfig, fieldName, readKindConfig } from "./config/read-config.ts";
import { checkConfig, clusterSchema, type KindClusterConfig, type ReadKindConfig } from "./config/schema.ts";
import { networkId, nodeContainers, recordNetwork } from "./containers.ts";
import { aborted, KindError } from "./errors/kind-error.ts";
import { exportKubeconfig, sortNodes } from "./get.ts";
import { kubeconfigPathFor } from "./kubeconfig.ts";
import { recordAsOurs } from "./ours.ts";
import { type KindOptions, type Prepared, prepare } from "./prepare.ts";
import { createProgress, type KindEvent, type Progress } from "./progress.ts";
import { connectRegistry, type RegistryOptions, startRegistry } from "./registry.ts";
import { runEngine, runKind } from "./run-kind.ts";

export interface CreateClusterOptions extends KindOptions {
  /** Default: the configuration's name, or `kind`. */
  readonly name?: string;
  /** An object, or a file. It is validated before anything starts. Default: one node. */
  readonly config?: KindClusterConfig | { readonly file: string };
  /**
   * The image of all nodes. Default: KIND_NODE_IMAGE, or the configuration's, or `kindNodeImage` of tools.
   */
  readonly image?: string;
  /** Seconds until every node must be Ready. 0 does not wait. Default: 300. */
  readonly wait?: number;
  /** Whether nodes are kept for inspection if their creation fails. Default: false. */
  readonly retain?: boolean;
  /** Where the cluster's context is written. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
  /** A registry on the network of the nodes, started if necessary. Default: none. */
  readonly registry?: RegistryOptions;
  readonly onProgress?: (event: KindEvent) => void;
}

export interface KindCluster {
  readonly name: string;
  /** The file with the context. */
  readonly kubeconfigPath: string;
  /** `kind-<name>` */
  readonly context: string;
  /** Names of the nodes, which are also their containers' names. The control plane comes first. */
  readonly nodes: readonly string[];
}

/**
 * Creates a cluster and waits until all of its nodes are Ready. The kubeconfig is written at the end. On an
 * error, or when the signal aborts, removes what was created (containers, network, a registry that this call
 * started), unless `retain` is set.
 *
 * @throws KindError
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
  const network = await networkId(prepared, options.signal);
  const folder = await mkdtemp(join(tmpdir(), "kind-"));
  try {
    await create(name, config, prepared, progress, options, folder).finally(() =>
      // If the engine is unavailable, the failed command reports it.
      recordNetwork(prepared, network).catch(() => undefined),
    );
    const nodes = sortNodes(await nodeContainers(prepared, name, options.signal), name);
    if (options.registry) await connectRegistry(name, { ...options.registry, ...common });
    const { wait = 300, signal } = options;
    if (wait > 0) {
      progress.begin("Waiting for all nodes to be Ready");
      await waitForNodes(prepared, name, { node: nodes[0] ?? "", seconds: wait, signal });
      progress.end(true);
    }
    if (options.signal?.aborted) throw aborted(`cluster ${name} was not created`);
    const kubeconfigPath = await writeKubeconfig(name, prepared, options.kubeconfigPath);
    return { name, nodes, context: `kind-${name}`, kubeconfigPath };
  } catch (error) {
    progress.end(false);
    throw await afterFailure(error, name, prepared, options, registry?.started === true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the kubeconfig at the end, uninterrupted. A kind that is ended while it writes would leave the
 * user's kubeconfig truncated or locked. Returns the path of the file.
 */
async function writeKubeconfig(
  name: string,
  { engine, env }: Prepared,
  explicit: string | undefined,
): Promise<string> {
  const path = kubeconfigPathFor(explicit, env);
  const there = existsSync(path);
  await exportKubeconfig(name, { engine, env, ...(explicit !== undefined && { kubeconfigPath: explicit }) });
  if (!there) await recordAsOurs("kubeconfig", path, env);
  return path;
}

async function create(
  name: string,
  config: ReadKindConfig,
  prepared: Prepared,
  progress: Progress,
  options: CreateClusterOptions,
  folder: string,
): Promise<void> {
  const image = options.image ?? (prepared.env.KIND_NODE_IMAGE || undefined);
  const args = ["create", "cluster", "--name", name, "--config", "-"];
  // Retained, because the cause is read from the nodes before they are removed here.
  args.push("--retain", "--kubeconfig", join(folder, "kubeconfig"));
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

/** Validates a configuration. Throws KindError `bad-config`, `file-missing`. */
export async function readConfig(config: CreateClusterOptions["config"]): Promise<ReadKindConfig> {
  if (config === undefined) return { kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4" };
  if ("file" in config) return readKindConfig(config.file);
  const result = checkConfig(config);
  if ("config" in result) return result.config;
  throw badConfig("the configuration", `${fieldName(result.problem.path)}: ${result.problem.words}`);
}

function checkName(name: string): void {
  const result = clusterSchema.shape.name.safeParse(name);
  if (result.success) return;
  throw new KindError({
    problem: "bad-config",
    what: `cluster ${name}`,
    cause: `its name ${result.error.issues[0]?.message}`,
    fix: "Choose another --name.",
  });
}

function exists(name: string): KindError {
  return new KindError({
    problem: "name-exists",
    what: `cluster ${name} was not created`,
    cause: `cluster ${name} already exists`,
    fix: `Use it, choose another name (--name), or remove it: \`pnpm kind-down --name ${name}\`.`,
  });
}

/**
 * Waits until every node is Ready, with the kubectl in the control plane's node. `kind --wait` waits for the
 * control plane only. Throws KindError `timeout` or `aborted`.
 */
async function waitForNodes(
  prepared: Prepared,
  cluster: string,
  { node, seconds, signal }: { node: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const kubectl = ["exec", node, "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf"];
  const args = [...kubectl, "wait", "node", "--all", "--for=condition=Ready", `--timeout=${seconds}s`];
  await runEngine(prepared, args, {
    what: `the nodes of cluster ${cluster} are not all Ready after ${seconds} s`,
    cluster,
    signal,
  });
}
