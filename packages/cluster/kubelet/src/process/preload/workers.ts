import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import threads, { type WorkerOptions } from "node:worker_threads";
import { mapFiles } from "./files.ts";
import { assumeIdentity } from "./identity.ts";
import { confineDatagrams, confineServers } from "./loopback.ts";
import { createPaths } from "./paths.ts";
import type { PreloadSettings } from "./settings.ts";

/**
 * Threads that Node would start without the preload, since they have options of their own or are given as text, have it
 * as well.
 */
export function prepareWorkers(settings: PreloadSettings, preload: string): void {
  const { Worker } = threads;
  const text = JSON.stringify(JSON.stringify(settings));
  const self = JSON.stringify(fileURLToPath(import.meta.url));
  // On the line on which the text begins: its lines keep their numbers.
  const first = `process.getBuiltinModule("node:module").createRequire("/")(${self}).prepareThread(JSON.parse(${text}), ${JSON.stringify(preload)});`;
  class ContainerWorker extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const execArgv = options.execArgv && [`--import=${preload}`, ...options.execArgv];
      super(options.eval ? first + String(file) : file, { ...options, ...(execArgv ? { execArgv } : {}) });
    }
  }
  Object.defineProperty(ContainerWorker, "name", { value: "Worker" });
  threads.Worker = ContainerWorker;
  syncBuiltinESMExports();
}

const prepared = Symbol.for("operator-path.prepared");

/** A thread other than the main one: in the container's files, and not in its Pod's network. */
export function prepareThread(settings: PreloadSettings, preload: string): void {
  const global = globalThis as { [prepared]?: boolean };
  if (global[prepared]) return;
  Object.defineProperty(global, prepared, { value: true });
  confineServers();
  confineDatagrams();
  prepareWorkers(settings, preload);
  mapFiles(createPaths(settings));
  assumeIdentity(settings, false, undefined);
}
