import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createClient, nodes } from "@operator-path/client";
import { type Cluster, startKindCluster } from "@operator-path/cluster";
import { createCluster, deleteCluster, exportLogs, type KindEvent, stopRegistry } from "@operator-path/kind";
import type { PageFile } from "@operator-path/learn";
import { findTool } from "@operator-path/tools";
import { type Report, type Reporter, verifyPages } from "@operator-path/walkthrough";
import { buildImages, imageName } from "./images/build-images.ts";
import { serveImages } from "./images/serve-images.ts";
import { leftovers, lookBefore, volumesOf } from "./leftovers.ts";
import type { KindReport, PageResult } from "./report.ts";
import type { Means } from "./whether.ts";

const name = "operator-path-proof";
const registryName = "operator-path-proof-registry";

export interface ProveOptions extends Means {
  /** The repository's root folder. */
  readonly root: string;
  /** Of the tutorials' nodes. */
  readonly config: string;
  /** For everything temporary; the process's TMPDIR. It is empty, and has to be so afterwards. */
  readonly temporary: string;
  /** Where kind's logs go when a page is not true. */
  readonly logs: string;
  readonly command: string;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly onKind: (event: KindEvent) => void;
  readonly reporter: Reporter;
}

/** Runs the pages on a cluster of their own, deletes it, and looks at what is left. Rejects when there can be no cluster. */
export async function prove(pages: readonly PageFile[], o: ProveOptions): Promise<KindReport> {
  const begin = performance.now();
  const { engine, signal, say } = o;
  const traces = { engine, cluster: name, registry: registryName, temporary: o.temporary };
  const before = await lookBefore(traces);
  const env = { ...o.env };
  if (!o.registry) {
    say("no registry is reached: images are made of Debian's packages");
    await buildImages({
      engine,
      signal,
      onProgress: ({ name, built, seconds }) =>
        say(`  ✓ ${name}  ${built ? `${seconds.toFixed(1)} s` : "was there"}`),
    });
    env.NODE_IMAGE = imageName({ name: "node" });
    env.HELM_IMAGE = imageName({ name: "helm" });
  }

  const done = await onCluster(pages, { ...o, env });
  const left = await leftovers(traces, before, done.volumes);
  return {
    date: new Date().toISOString(),
    command: o.command,
    ...done.versions,
    images: o.registry ? "pulled" : "built",
    clusterSeconds: done.clusterSeconds,
    seconds: secondsSince(begin),
    pages: done.reports.map(toResult),
    left,
  };
}

async function onCluster(pages: readonly PageFile[], o: ProveOptions) {
  const { engine, env, signal, say } = o;
  const common = { engine, env, signal };
  const kubeconfigPath = join(o.temporary, "kubeconfig");
  const registry = o.registry
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
    image: o.nodeImage,
    config: { file: o.config },
    ...(registry && { registry }),
    onProgress: o.onKind,
  });
  // Only now: a cluster of that name that was there before is somebody's. Without the signal, as what is there is removed above
  // all after an interrupt.
  if (registry) undo.defer(async () => void (await stopRegistry({ engine, env, name: registryName })));
  undo.defer(async () => void (await deleteCluster({ engine, env, name, kubeconfigPath })));
  const clusterSeconds = secondsSince(begin);
  if (registry) await serveImages({ host: `localhost:${registry.port}` }, common);
  const volumes = await volumesOf({ engine, cluster: name, registry: registryName, temporary: o.temporary });
  const cluster = await startKindCluster({ name, reuse: true, env, signal });
  undo.defer(() => cluster.stop());
  const versions = await versionsOf(cluster, o);
  const reports = await verifyPages(
    pages.map(({ path }) => path),
    { root: o.root, provider: "kind", cluster, reporter: o.reporter, signal },
  );
  if (reports.some(({ passed }) => !passed) && !signal.aborted) {
    await mkdir(o.logs, { recursive: true });
    await exportLogs(name, o.logs, { engine, env });
    say(`kind's logs: ${o.logs}`);
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

/** Where nobody listens now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

function secondsSince(begin: number): number {
  return Math.round(performance.now() - begin) / 1000;
}
