import { spawn } from "node:child_process";
import { extname } from "node:path";
import type { Clock } from "@operator-path/client";
import type { ManagerEvent } from "./host.ts";
import type { FromOperator, ToOperator } from "./messages.ts";
import { versionOf } from "./module-records.ts";
import type { PreservedListeners } from "./preserved-listeners.ts";
import { supervised } from "./supervised.ts";

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether the process was killed because it did not end in time. */
  late?: boolean;
}

/** One process of the operator. It first prepares, then runs the main file. */
export interface OperatorProcess {
  /** Files that its modules were read from. */
  readonly loaded: ReadonlySet<string>;
  /** URLs of modules that its own modules import from elsewhere, in order. */
  readonly imports: ReadonlySet<string>;
  readonly ended: Promise<Ending>;
  /**
   * Resolves when prepared: whether the preloaded files are unchanged on disk. false when the process has
   * ended.
   */
  isFresh(): Promise<boolean>;
  /** Loads the main file. */
  start(): void;
  /**
   * Sends SIGTERM. After `grace` milliseconds, or when `hurry` aborts, kills the process and its children.
   */
  stop(grace: number, hurry?: AbortSignal): Promise<Ending>;
  /** Kills a process that has not been started. */
  discard(): Promise<Ending>;
}

export interface LaunchOptions {
  /** Options for Node, before the main file. */
  nodeArguments: readonly string[];
  /** The main file and the operator's arguments. */
  arguments: readonly string[];
  identity: string;
  /** Folder of the operator's own modules, which are not preloaded. */
  folder: string;
  listeners: PreservedListeners;
  /** Port for a debugger, once the main file runs. */
  inspect?: number;
  clock: Clock;
}

export interface Launch extends LaunchOptions {
  /** URLs of modules to preload. */
  modules: Iterable<string>;
  onManager(event: ManagerEvent): void;
  onLoading(path: string): void;
}

const preload = new URL(`./preload${extname(import.meta.url)}`, import.meta.url).href;

export function launchOperator(launch: Launch): OperatorProcess {
  const { clock, listeners, identity, folder } = launch;
  const child = spawn(process.execPath, [...launch.nodeArguments, "--import", preload, ...launch.arguments], {
    env: { ...process.env, [supervised]: "1" },
    // The terminal sends Ctrl+C to the supervisor only, which then stops the operator once.
    detached: process.platform !== "win32",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const loaded = new Set<string>();
  const imports = new Set<string>();
  const prepared = Promise.withResolvers<FromOperator & { type: "prepared" }>();
  let late = false;

  const send = (message: ToOperator, handle?: unknown) => {
    // The process may have ended. `ended` reports that.
    if (child.connected) child.send(message, handle as never, {}, () => {});
  };
  const ended = new Promise<Ending>((resolve) => {
    child.once("error", () => resolve({ code: 1, signal: null }));
    child.once("exit", (code, signal) => {
      // Kill the children that it left behind.
      killGroup();
      resolve({ code, signal, ...(late && { late }) });
    });
  });

  function killGroup(): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // No process is left, or the system has no process groups (Windows).
      child.kill("SIGKILL");
    }
  }

  child.on("message", (message: FromOperator, handle: unknown) => {
    if (message.type === "loading") {
      loaded.add(message.path);
      launch.onLoading(message.path);
    } else if (message.type === "imported") imports.add(message.url);
    else if (message.type === "prepared") prepared.resolve(message);
    else if (message.type === "manager") launch.onManager(message.event);
    else if (message.type === "keep") listeners.keep(message.key, handle);
    else send({ type: "listener", key: message.key }, listeners.claim(message.key));
  });
  send({ type: "prepare", identity, folder, modules: [...launch.modules] });

  return {
    loaded,
    imports,
    ended,
    async isFresh() {
      const message = await Promise.race([prepared.promise, ended]);
      if (!("type" in message)) return false;
      return message.files.every(([path, mtimeMs, size]) => {
        const [, ...present] = versionOf(path);
        return present[0] === mtimeMs && present[1] === size;
      });
    },
    start: () => send({ type: "start", ...(launch.inspect && { inspect: launch.inspect }) }),
    async stop(grace, hurry) {
      const kill = () => {
        late = true;
        killGroup();
      };
      const timer = clock.setTimeout(kill, grace);
      if (hurry?.aborted) kill();
      hurry?.addEventListener("abort", kill, { once: true });
      child.kill("SIGTERM");
      try {
        return await ended;
      } finally {
        clock.clearTimeout(timer);
        hurry?.removeEventListener("abort", kill);
      }
    },
    discard() {
      killGroup();
      return ended;
    },
  };
}
