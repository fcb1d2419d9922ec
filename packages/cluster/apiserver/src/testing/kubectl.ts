import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { findTool } from "@operator-path/tools";
import { afterAll } from "vitest";
import type { ApiServer } from "../server.ts";

/** A real kubectl with a server's kubeconfig, and its own home directory. */
export interface Kubectl {
  /** Returns standard output. Rejects when kubectl fails: the error's `stderr` says why. */
  run(...args: string[]): Promise<string>;
  /** Yields standard output line by line. The command runs until the iteration ends. */
  follow(...args: string[]): AsyncIterable<string>;
  /** Writes a file beside the kubeconfig, and returns its path. */
  file(name: string, text: string): Promise<string>;
}

/** Returns a kubectl for a whole test file. Its files are removed when the test file ends. */
export async function kubectlFor(server: ApiServer): Promise<Kubectl> {
  const { path } = await findTool("kubectl");
  const home = await mkdtemp(join(tmpdir(), "kubectl-"));
  afterAll(() => rm(home, { recursive: true, force: true }));
  const kubeconfig = join(home, "config");
  await writeFile(kubeconfig, server.kubeconfigYaml(), { mode: 0o600 });
  const env = { HOME: home, KUBECONFIG: kubeconfig, PATH: process.env.PATH };
  const execute = promisify(execFile);

  return {
    async run(...args) {
      return (await execute(path, args, { env })).stdout;
    },
    async file(name, text) {
      await writeFile(join(home, name), text);
      return join(home, name);
    },
    async *follow(...args) {
      const child = spawn(path, args, { env, stdio: ["ignore", "pipe", "ignore"] });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      try {
        yield* createInterface({ input: child.stdout });
      } finally {
        child.kill();
        await ended;
      }
    },
  };
}
