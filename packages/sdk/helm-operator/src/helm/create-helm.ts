import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { type Clock, type KubeConfig, systemClock } from "@operator-path/client";
import type { JsonObject } from "../json.ts";
import { parseReleaseJson } from "../release/decode-release.ts";
import { largestRelease, ReleaseTooLarge, releaseSize } from "../release/release-size.ts";
import {
  dryRunArguments,
  installArguments,
  majorOf,
  parseVersion,
  rollbackArguments,
  uninstallArguments,
  upgradeArguments,
} from "./arguments.ts";
import type { Helm, ReleaseKey, RunOptions } from "./helm.ts";
import { HelmError } from "./helm-error.ts";
import { createHome, type Home, openUnlinked, valuesText } from "./home.ts";
import { type ProcessResult, runProcess } from "./run-process.ts";
import { createSemaphore } from "./semaphore.ts";

/** Options of {@link createHelm}. */
export interface HelmOptions {
  /** Absolute path of a helm 4, or of a helm 3 from 3.15. */
  readonly path: string;
  /** Path of a kubeconfig, or a loaded one. Default: none, for a Pod with its ServiceAccount. */
  readonly kubeconfig?: string | KubeConfig | undefined;
  /** Processes of helm that run at the same time. Default 2. */
  readonly maxProcesses?: number | undefined;
  /**
   * Variables for helm besides its own: HTTPS_PROXY, for example. A kubeconfig with an exec plugin needs
   * PATH, HOME and what else the plugin reads: pass process.env. KUBECONFIG, TMPDIR and names that begin with
   * HELM_ are ignored, because helm gets its own. Default: none, and HOME is a folder of helm's own.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds between SIGINT and SIGKILL for a cancelled helm. Default 10,000. */
  readonly grace?: number | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Called when a process starts, with "upgrade" and "shop/web", for example. Default: not called. */
  readonly onProcess?: ((operation: string, release: string | undefined) => void) | undefined;
}

interface Work extends RunOptions {
  readonly operation: string;
  readonly release?: ReleaseKey;
  readonly values?: JsonObject;
  readonly arguments: readonly string[];
}

/**
 * Returns a Helm that runs the program at `path`. Starts and writes nothing before the first call.
 *
 * @throws TypeError when the path is not absolute
 */
export function createHelm(options: HelmOptions): Helm {
  const { path, kubeconfig, environment = {}, grace = 10_000, clock = systemClock, onProcess } = options;
  if (!isAbsolute(path)) throw new TypeError(`helm's path must be absolute: ${JSON.stringify(path)}`);
  const semaphore = createSemaphore(options.maxProcesses ?? 2);
  const end = new AbortController();
  const running = new Set<Promise<unknown>>();
  let home: Promise<Home> | undefined;
  let found: string | undefined;

  /**
   * Creates the folder again when that failed before, or when it was cleaned up: an operator runs for months.
   */
  async function openHome(): Promise<Home> {
    const before = home;
    const known = await before?.catch(() => undefined);
    if (known && existsSync(known.folder)) return known;
    if (home === before) home = createHome({ kubeconfig, environment, env: process.env });
    return home as Promise<Home>;
  }

  async function start(work: Work, signal: AbortSignal): Promise<ProcessResult> {
    const releasePermit = await semaphore.acquire(signal);
    const files: FileHandle[] = [];
    const open = async (folder: string, name: string, text: string | undefined) => {
      if (text === undefined) return undefined;
      const file = await openUnlinked(folder, name, text);
      files.push(file);
      return file.fd;
    };
    try {
      const { folder, environment: env, kubeconfig } = await openHome();
      const input = await open(folder, "values", work.values && valuesText(work.values));
      // For each process again, so that a renewed token counts.
      const third = await open(folder, "kubeconfig", kubeconfig());
      const { operation, release } = work;
      onProcess?.(operation, release && nameOf(release));
      const common = { path, environment: env, folder, grace, clock, signal };
      return await runProcess({ ...common, arguments: work.arguments, input, third });
    } finally {
      await Promise.all(files.map((file) => file.close()));
      releasePermit();
    }
  }

  async function run(work: Work): Promise<string> {
    const signal = work.signal ? AbortSignal.any([work.signal, end.signal]) : end.signal;
    const { operation } = work;
    const release = work.release && nameOf(work.release);
    let result: ProcessResult;
    const started = start(work, signal);
    running.add(started);
    try {
      result = await started;
    } catch (cause) {
      if (signal.aborted) throw cancelled(operation, release, signal.reason);
      const why = (cause as Error & { originalMessage?: string }).originalMessage;
      const stderr = `${path} could not be started: ${why ?? (cause as Error).message}`;
      throw new HelmError({ operation, release, stderr, kind: "not-started", cause });
    } finally {
      running.delete(started);
    }
    const { exitCode, stdout, stderr } = result;
    // A helm that was stopped and finished anyway has done its work.
    if (exitCode === 0) return stdout;
    if (signal.aborted) throw cancelled(operation, release, signal.reason, result);
    const killed = stderr === "" && result.signal ? `it was killed by ${result.signal}` : stderr;
    throw new HelmError({ operation, release, exitCode, stderr: killed });
  }

  async function version({ signal }: RunOptions = {}): Promise<string> {
    if (found !== undefined) return found;
    const printed = await run({
      operation: "version",
      arguments: ["version", "--template={{.Version}}"],
      signal,
    });
    found = parseVersion(printed);
    if (found !== undefined) return found;
    throw notHelm(`${path} printed ${JSON.stringify(printed.slice(0, 200))} as its version: is it helm?`);
  }

  async function major(signal: AbortSignal | undefined) {
    const own = await version({ signal });
    const known = majorOf(own);
    if (known === undefined) throw notHelm(`${path} is helm ${own}: use helm 4, or helm 3 from 3.15`);
    return known;
  }

  return {
    version,
    async dryRun(request, { signal, ...dryRun } = {}) {
      await major(signal);
      const { values } = request;
      const stdout = await run({
        ...{ operation: "dry run", release: request, values, signal },
        arguments: dryRunArguments(withAbsoluteChart(request), dryRun),
      });
      const size = releaseSize(stdout);
      if (size > largestRelease) throw new ReleaseTooLarge(nameOf(request), size);
      const { manifest, hooks, notes } = parseReleaseJson(stdout);
      return { manifest, hooks, ...(notes !== undefined && { notes }) };
    },
    async install(request, install = {}) {
      const { signal } = install;
      const args = installArguments(await major(signal), withAbsoluteChart(request), install);
      const { values } = request;
      await run({ operation: "install", release: request, values, signal, arguments: args });
    },
    async upgrade(request, upgrade = {}) {
      const { signal } = upgrade;
      const args = upgradeArguments(await major(signal), withAbsoluteChart(request), upgrade);
      const { values } = request;
      await run({ operation: "upgrade", release: request, values, signal, arguments: args });
    },
    async rollback(release) {
      const { signal } = release;
      const args = rollbackArguments(await major(signal), release);
      await run({ operation: "rollback", release, signal, arguments: args });
    },
    async uninstall(release) {
      const { signal } = release;
      await major(signal);
      await run({ operation: "uninstall", release, signal, arguments: uninstallArguments(release) });
    },
    async dispose() {
      end.abort(new Error("helm was disposed of"));
      await Promise.allSettled(running);
      const known = await home?.catch(() => undefined);
      await known?.remove();
    },
  };
}

/** Makes the chart's path absolute: helm may look for a relative one in repositories. */
function withAbsoluteChart<T extends { readonly chart: string }>(request: T): T {
  return { ...request, chart: resolve(request.chart) };
}

function nameOf({ namespace, name }: ReleaseKey): string {
  return `${namespace}/${name}`;
}

function notHelm(stderr: string): HelmError {
  return new HelmError({ operation: "version", stderr, kind: "not-started" });
}

function cancelled(
  operation: string,
  release: string | undefined,
  cause: unknown,
  result?: ProcessResult,
): HelmError {
  const { exitCode, stderr } = result ?? { exitCode: undefined, stderr: "" };
  const why = stderr || `it was stopped: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new HelmError({ operation, release, exitCode, stderr: why, kind: "cancelled", cause });
}
