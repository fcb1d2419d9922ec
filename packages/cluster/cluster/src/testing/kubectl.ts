import { type ChildProcess, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubeConfig } from "@operator-path/client";
import { type ControlPlane, findControlPlane, findTool } from "@operator-path/tools";
import { execa } from "execa";
import type { Cluster } from "../cluster.ts";
import { startEmbeddedCluster } from "../embedded/start.ts";
import { startEnvtestCluster } from "../envtest/start.ts";

/** A command's output and exit code. */
export interface Outcome {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** A real kubectl with an embedded cluster in this process, and the server's failures. */
export interface KubectlBench {
  /** `command` is split at spaces, except within `'…'`. */
  run(
    command: string,
    options?: { input?: string; env?: Record<string, string>; timeout?: number },
  ): Promise<Outcome>;
  /** Runs a command that must succeed. @returns standard output */
  ok(command: string, input?: string): Promise<string>;
  /** Runs a command that must fail. @returns standard error, without the final newline */
  refused(command: string, input?: string): Promise<string>;
  readonly kubeconfigPath: string;
  /** The loaded kubeconfig. */
  readonly kubeConfig: KubeConfig;
  /** Starts a command that runs until it is ended. The caller must stop it. */
  start(command: string, env?: Record<string, string>): ChildProcess;
  /** Writes a file into the folder in which commands run. */
  file(name: string, text: string, mode?: number): Promise<string>;
  /** `GET /api/v1/pods 500` for every server error so far. */
  readonly failures: readonly string[];
  /** The number of answered requests so far. */
  readonly answered: number;
  stop(): Promise<void>;
}

/**
 * For short-lived Go programs, which would spend most of their time collecting garbage. A longer one collects
 * once it has this much memory.
 */
export const briefly = { GOGC: "off", GOMEMLIMIT: "256MiB" };

/** Starts a cluster whose kubeconfig is in the folder. */
export type StartCluster = (directory: string) => Promise<Cluster>;

export const embedded: StartCluster = (directory) => startEmbeddedCluster({ directory });

/** @param start Default: an embedded cluster */
export async function startKubectlBench(start: StartCluster = embedded): Promise<KubectlBench> {
  const { path } = await findTool("kubectl");
  const folder = await mkdtemp(join(tmpdir(), "kubectl-bench-"));
  const failures: string[] = [];
  let answered = 0;
  const finished = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    answered++;
    if (response.statusCode >= 500) failures.push(`${request.method} ${request.url} ${response.statusCode}`);
  };
  subscribe("http.server.response.finish", finished);
  const cluster = await start(join(folder, "cluster"));

  const environment = () => ({
    ...{ HOME: folder, KUBECONFIG: cluster.kubeconfigPath, PATH: process.env.PATH },
    ...briefly,
  });

  async function run(
    command: string,
    options: { input?: string; env?: Record<string, string>; timeout?: number } = {},
  ): Promise<Outcome> {
    const result = await execa(path, wordsOf(command), {
      cwd: folder,
      env: { ...environment(), ...options.env },
      extendEnv: false,
      input: options.input ?? "",
      reject: false,
      stripFinalNewline: false,
      timeout: options.timeout ?? 300_000,
    });
    return { code: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }

  return {
    run,
    failures,
    kubeconfigPath: cluster.kubeconfigPath,
    kubeConfig: cluster.kubeConfig,
    get answered() {
      return answered;
    },
    async ok(command, input) {
      const { code, stdout, stderr } = await run(command, { input });
      if (code !== 0) throw new Error(`kubectl ${command} ended with ${code}: ${stderr}`);
      return stdout;
    },
    async refused(command, input) {
      const { code, stdout, stderr } = await run(command, { input });
      if (code !== 1) throw new Error(`kubectl ${command} ended with ${code}, not 1: ${stdout}${stderr}`);
      return stderr.trimEnd();
    },
    start(command, env) {
      return spawn(path, wordsOf(command), { cwd: folder, env: { ...environment(), ...env } });
    },
    async file(name, text, mode = 0o644) {
      await writeFile(join(folder, name), text, { mode });
      return join(folder, name);
    },
    async stop() {
      unsubscribe("http.server.response.finish", finished);
      await cluster.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/**
 * Returns a function that starts a cluster with a real control plane. Returns undefined if this machine has
 * none. Builds and downloads nothing.
 */
export async function realControlPlane(): Promise<StartCluster | undefined> {
  const programs = await findControlPlane({ controllerManager: true, mayBuild: false }).catch(
    (): ControlPlane | undefined => undefined,
  );
  return programs && ((directory) => startEnvtestCluster({ directory, programs }));
}
