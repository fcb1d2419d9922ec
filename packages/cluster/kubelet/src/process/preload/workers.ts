import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import threads, { type WorkerOptions } from "node:worker_threads";
import { narrowChildProcesses } from "./child-processes.ts";
import { mapFiles } from "./files.ts";
import { assumeIdentity } from "./identity.ts";
import { laterImports } from "./later-imports.ts";
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
  const isNarrow = settings.tools?.others === false;
  class ContainerWorker extends Worker {
    constructor(file: string | URL, given: WorkerOptions = {}) {
      const options = isNarrow ? preparedFirst(given) : given;
      const execArgv = options.execArgv && [`--import=${preload}`, ...options.execArgv];
      super(options.eval ? first + String(file) : file, { ...options, ...(execArgv ? { execArgv } : {}) });
    }
  }
  Object.defineProperty(ContainerWorker, "name", { value: "Worker" });
  threads.Worker = ContainerWorker;
  syncBuiltinESMExports();
}

/** Options of a thread that loads nothing before it is prepared. */
function preparedFirst(options: WorkerOptions): WorkerOptions {
  const { env, execArgv } = options;
  // Node reads NODE_OPTIONS again for a thread with options or an environment of its own.
  if (execArgv === undefined && (env === undefined || typeof env === "symbol")) return options;
  const { NODE_OPTIONS: _, ...own } = typeof env === "object" ? env : process.env;
  return { ...options, env: own, ...(execArgv && { execArgv: laterImports(execArgv) }) };
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
  const paths = createPaths(settings);
  const children = new Set<number>();
  const { tools } = settings;
  if (tools) narrowChildProcesses({ ...settings, tools }, paths, children);
  mapFiles(paths);
  assumeIdentity(settings, false, children);
}
