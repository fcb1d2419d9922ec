import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createClient, nodes } from "@operator-path/client";
import { type Cluster, startKindCluster } from "@operator-path/cluster";
import { createCluster, deleteCluster, exportLogs, type KindEvent, stopRegistry } from "@operator-path/kind";
import type { PageFile } from "@operator-path/learn";
import { findTool } from "@operator-path/tools";
import { type Report, type Reporter, verifyPages } from "@operator-path/walkthrough";
import { buildImages, imageName, serveImages } from "./images/build-images.ts";
import { leftovers, lookBefore, volumesOf } from "./leftovers.ts";
import type { KindReport, PageResult } from "./report.ts";
import type { Requirements } from "./requirements.ts";

const name = "operator-path-proof";
const registryName = "operator-path-proof-registry";

export interface ProveOptions extends Requirements {
  /** The repository's root folder. */
  readonly root: string;
  /** The kind configuration with the tutorials' nodes. */
  readonly config: string;
  /** The folder of all temporary files, the process's TMPDIR. It is empty before and must be empty afterwards. */
  readonly temporary: string;
  /** The folder of kind's logs after a failed page. */
  readonly logs: string;
  readonly command: string;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly onKind: (event: KindEvent) => void;
  readonly reporter: Reporter;
}

/** Runs the pages on a new cluster, deletes it, and lists what is left. Rejects if the cluster cannot be created. */
export async function prove(pages: readonly PageFile[], options: ProveOptions): Promise<KindReport> {
  const begin = performance.now();
  const { engine, signal, say } = options;
  const traces = { engine, cluster: name, registry: registryName, temporary: options.temporary };
  const before = await lookBefore(traces);
  const env = { ...options.env };
  if (!options.registry) {
    say("no registry is reachable: building the images from Debian packages");
    await buildImages({
      engine,
      signal,
      onProgress: ({ name, built, seconds }) =>
        say(`  ✓ ${name}  ${built ? `${seconds.toFixed(1)} s` : "up to date"}`),
    });
    env.NODE_IMAGE = imageName({ name: "node" });
    env.HELM_IMAGE = imageName({ name: "helm" });
  }

  const done = await onCluster(pages, { ...options, env });
  const left = await leftovers(traces, before, done.volumes);
  return {
    date: new Date().toISOString(),
    command: options.command,
    ...done.versions,
    images: options.registry ? "pulled" : "built",
    clusterSeconds: done.clusterSeconds,
    seconds: secondsSince(begin),
    pages: done.reports.map(toResult),
    left,
  };
}

async function onCluster(pages: readonly PageFile[], options: ProveOptions) {
  const { engine, env, signal, say } = options;
  const common = { engine, env, signal };
  const kubeconfigPath = join(options.temporary, "kubeconfig");
  const registry = options.registry
    ? undefined
    : {
        name: registryName,
        port: await freePort(),
        image: imageName({ name: "registry" }),
        mirrorOf: ["docker.io"],
      };
  await using undo = new AsyncDisposableStack();
  const begin = performance.now();
  say(`cluster ${name}`);
  await createCluster({
    ...common,
    name,
    kubeconfigPath,
    image: options.nodeImage,
    config: { file: options.config },
    ...(registry && { registry }),
    onProgress: options.onKind,
  });
  // Registered only now: an existing cluster of that name is not the proof's. It runs without the signal, because
  // it has to clean up after an interrupt, too.
  if (registry) undo.defer(async () => void (await stopRegistry({ engine, env, name: registryName })));
  undo.defer(async () => void (await deleteCluster({ engine, env, name, kubeconfigPath })));
  const clusterSeconds = secondsSince(begin);
  if (registry) await serveImages({ host: `localhost:${registry.port}` }, common);
  const volumes = await volumesOf({
    engine,
    cluster: name,
    registry: registryName,
    temporary: options.temporary,
  });
  const cluster = await startKindCluster({ name, reuse: true, env, signal });
  undo.defer(() => cluster.stop());
  const versions = await versionsOf(cluster, options);
  const reports = await verifyPages(
    pages.map(({ path }) => path),
    { root: options.root, provider: "kind", cluster, reporter: options.reporter, signal },
  );
  if (reports.some(({ passed }) => !passed) && !signal.aborted) {
    await mkdir(options.logs, { recursive: true });
    await exportLogs(name, options.logs, { engine, env });
    say(`kind's logs: ${options.logs}`);
  }
  say(`deleting the cluster ${name}`);
  return { versions, volumes, reports, clusterSeconds };
}

async function versionsOf(cluster: Cluster, { engine, env }: ProveOptions) {
  const client = createClient(cluster.kubeConfig);
  try {
    const { items } = await client.resource(nodes).list();
    const info = items[0]?.status?.nodeInfo;
    return {
      kind: (await findTool("kind", { env })).version,
      kubernetes: info?.kubeletVersion ?? "unknown",
      runtime: info?.containerRuntimeVersion ?? "unknown",
      nodes: items.length,
      engine: `${engine.name} ${engine.version}`,
      kernel: info?.kernelVersion ?? "unknown",
      cgroup: String(engine.cgroup ?? "unknown"),
    };
  } finally {
    await client.close();
  }
}

function toResult(report: Report): PageResult {
  const { steps, difference, leaks } = report;
  const words = difference
    ? `line ${difference.line}: ${difference.message}`
    : leaks.length > 0
      ? `left behind: ${leaks.join("; ")}`
      : undefined;
  return {
    page: report.page.replace(/^(?:.*\/)?tutorials\//, "").replace(/\.md$/, ""),
    passed: report.passed,
    steps: steps.length,
    passedSteps: steps.filter(({ status }) => status === "passed").length,
    seconds: report.seconds,
    skipped: steps.flatMap(({ skipped }) => skipped),
    ...(words !== undefined && { difference: words }),
  };
}

/** Resolves to a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === "string")
    throw new Error("the operating system returned no port");
  return address.port;
}

function secondsSince(begin: number): number {
  return Math.round(performance.now() - begin) / 1000;
}
