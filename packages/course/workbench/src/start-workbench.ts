import { join } from "node:path";
import { bundleWeb, createUiServer, serveCluster } from "@operator-path/ui";
import { followClient, followModel } from "./current-cluster.ts";
import { openCurrentWorkbench } from "./current-workbench.ts";
import { serveWorkbench } from "./routes.ts";
import type { WorkbenchOptions } from "./workbench.ts";

export interface StartOptions extends WorkbenchOptions {
  /** Name of the page to begin with. */
  readonly page: string;
  /** Folder that keeps the bundle of the browser's page. */
  readonly cache: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

export interface RunningWorkbench extends AsyncDisposable {
  /** The URL for the browser. Its token works once. */
  readonly url: string;
  /** Returns a URL for another browser. */
  createUrl(): string;
}

/** Starts the workbench on a loopback port. Ends with its terminals when it is disposed. Throws UserError. */
export async function startWorkbench(options: StartOptions): Promise<RunningWorkbench> {
  await using undo = new AsyncDisposableStack();
  const entry = join(import.meta.dirname, "web", "main.tsx");
  const preload = ["inter-latin-wght-normal"];
  const [bundle, workbench] = await Promise.all([
    bundleWeb({ entry, cache: options.cache, preload }),
    openCurrentWorkbench(options.page, options),
  ]);
  undo.use(workbench);
  const title = "operator-path";
  const server = await createUiServer({
    ...{ bundle, title, inlineStyles: true, port: options.port ?? 0, maxBodyBytes: 2 << 20 },
  });
  undo.defer(() => server.close());
  serveWorkbench(server, workbench);
  serveCluster(server, {
    model: followModel(() => workbench.current().model),
    client: followClient(() => workbench.current().client),
  });
  const owned = undo.move();
  return {
    url: server.url,
    createUrl: () => server.createUrl(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
