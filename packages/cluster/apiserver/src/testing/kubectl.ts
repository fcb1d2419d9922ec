import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { findTool } from "@operator-path/tools";
import { afterAll } from "vitest";
import type { ApiServer } from "../server.ts";

/** A real kubectl with a server's kubeconfig, and a home of its own. */
export interface Kubectl {
  /** @returns standard output. Rejects when kubectl fails; the error's `stderr` says why. */
  run(...args: string[]): Promise<string>;
  /** Standard output line by line, for commands that go on until the iteration ends. */
  follow(...args: string[]): AsyncIterable<string>;
  /** Writes a file beside the kubeconfig. @returns its path */
  file(name: string, text: string): Promise<string>;
}

/** For a whole test file: what it leaves behind is removed at the file's end. */
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
