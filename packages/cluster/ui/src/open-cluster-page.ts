import { existsSync } from "node:fs";
import { join } from "node:path";
import { createClient, type KubeConfig } from "@operator-path/client";
import { bundleWeb, readBundle } from "./bundle-web.ts";
import { openClusterModel } from "./cluster/open-cluster-model.ts";
import { serveCluster } from "./cluster/serve-cluster.ts";
import { followReconciles } from "./reconciles/follow-reconciles.ts";
import { writeReconcilePreload } from "./reconciles/record-reconciles.ts";
import { createUiServer } from "./server/create-ui-server.ts";
import type { WebBundle } from "./server/web-bundle.ts";

export interface ClusterPageOptions {
  /** Its current context is shown. */
  readonly kubeConfig: KubeConfig;
  /** Default: all namespaces. */
  readonly namespaces?: readonly string[];
  /** Default 0: a free port. */
  readonly port?: number;
  /** A folder for the records of operators' reconciles, which appear on the time line. Default: none. */
  readonly reconciles?: string;
  /** Receives a line for each failure that is retried. */
  readonly log?: (line: string) => void;
}

/** A cluster in the browser, until it is closed. */
export interface ClusterPage extends AsyncDisposable {
  /** The URL for the first browser. It works once. */
  readonly url: string;
  /** Returns a URL for another browser, which works once. */
  createUrl(): string;
  /** With `reconciles`: the NODE_OPTIONS with which an operator records them. */
  readonly nodeOptions: string | undefined;
  /** Ends the watches and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves the view of a cluster to one user's browser. It only reads.
 *
 * @throws Error if the API server does not answer, or with the code EADDRINUSE if the port is taken
 */
export async function openClusterPage(options: ClusterPageOptions): Promise<ClusterPage> {
  const { kubeConfig, namespaces = [], port = 0, log = () => {} } = options;
  await using undo = new AsyncDisposableStack();
  const client = createClient(kubeConfig, { userAgent: "operator-path-ui" });
  undo.defer(() => client.close());
  const stop = new AbortController();
  const context = kubeConfig.getCurrentContext() ?? "";
  const cluster = { context, server: kubeConfig.getCurrentCluster()?.server ?? "" };
  const [bundle, model] = await Promise.all([
    clusterBundle(),
    openClusterModel({ client, cluster, namespaces, signal: stop.signal, log }),
  ]);
  undo.defer(() => {
    stop.abort();
    return model.done;
  });
  const server = undo.use(await createUiServer({ bundle, port, log, title: `${context} · Cluster` }));
  serveCluster(server, { model, client });
  const { reconciles } = options;
  const nodeOptions = reconciles === undefined ? undefined : await writeReconcilePreload(reconciles);
  if (reconciles !== undefined) void followReconciles(model, reconciles, stop.signal)();
  const opened = undo.move();
  const close = () => opened.disposeAsync();
  return { url: server.url, createUrl: server.createUrl, nodeOptions, close, [Symbol.asyncDispose]: close };
}

/** Returns the bundle of the page: from the published package, or made from the sources of the checkout. */
export async function clusterBundle(): Promise<WebBundle> {
  const folder = join(import.meta.dirname, "web");
  const entry = join(folder, "main.tsx");
  if (!existsSync(entry)) return await readBundle(folder);
  const cache = join(import.meta.dirname, "../node_modules/.cache/web");
  return await bundleWeb({ entry, cache, preload: ["inter-latin", "jetbrains-mono-latin"] });
}
