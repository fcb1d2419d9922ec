// An operator in its own process, for tests that kill it. Its helm can be stopped around each operation.
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type HelmBench, patiently } from "./bench.ts";
import { writeChart } from "./charts.ts";

const packages = join(import.meta.dirname, "../../../..");

const program = `
import { defineResource, loadKubeConfig } from "@operator-path/client";
import { createManager, setupSignalHandler } from "@operator-path/controller-runtime";
import { addHelmController, createHelm, loadChart } from "@operator-path/helm-operator";

const kubeConfig = loadKubeConfig();
const manager = createManager(kubeConfig);
const helm = createHelm({ path: process.env.HELM, kubeconfig: kubeConfig });
const resource = defineResource({ group: "example.com", version: "v1", kind: "Web", plural: "webs", namespaced: true });
const pendingPatience = Number(process.env.PATIENCE);
addHelmController(manager, { resource, chart: await loadChart("chart"), helm, pendingPatience, maxReleaseHistory: 5 });
try {
  await manager.start(setupSignalHandler());
} finally {
  await helm.dispose();
}
`;

/**
 * A helm wrapper that records its operation and process ID. Where a marker file exists, it blocks on a fifo
 * without a writer until it is killed.
 */
const stoppableHelm = (helm: string, folder: string) => `#!/bin/sh
operation=$1
case " $* " in *" --dry-run="*) operation=dry-run ;; esac
stop_at() {
  if [ -e "${folder}/$1-$operation" ]; then
    echo "$1-$operation" > "${folder}/stopped"
    read -r nothing < "${folder}/fifo"
  fi
}
echo "$operation" >> "${folder}/operations"
echo $$ > "${folder}/pid"
stop_at before
"${helm}" "$@"
code=$?
stop_at after
exit $code
`;

export type Moment = `${"before" | "after"}-${"install" | "upgrade" | "rollback" | "uninstall"}`;

export interface OperatorProcess {
  /** The operations of all helms so far, of all operators. */
  operations(): Promise<string[]>;
  /** Kills the operator at once together with its helm, as when their Pod ends. */
  kill(): Promise<void>;
  /** Kills the operator alone. Its helm goes on. */
  killAlone(): Promise<void>;
  /** Stops it with SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
}

export interface OperatorProcesses {
  /** @param patience milliseconds. Default 0: what is pending counts as abandoned */
  start(patience?: number): Promise<OperatorProcess>;
  /** Makes the next helm that gets there wait until it is killed. */
  stopAt(moment: Moment): Promise<void>;
  /** Resolves when a helm has got there. */
  stoppedAt(moment: Moment): Promise<void>;
}

export async function operatorProcesses(
  bench: HelmBench,
  files: Readonly<Record<string, string>>,
): Promise<OperatorProcesses> {
  const chart = Object.entries(files).map(([name, text]) => [`chart/${name}`, text]);
  const folder = await writeChart({ "main.ts": program, operations: "", ...Object.fromEntries(chart) });
  await mkdir(join(folder, "node_modules/@operator-path"), { recursive: true });
  await mkdir(join(folder, "tmp"));
  for (const name of ["client", "controller-runtime", "helm-operator"]) {
    await symlink(join(packages, name), join(folder, "node_modules/@operator-path", name));
  }
  const own = (name: string) => join(folder, name);
  const helm = own("helm");
  await writeFile(helm, stoppableHelm(bench.helmPath, folder));
  await chmod(helm, 0o755);
  const fifo = spawn("mkfifo", [own("fifo")]);
  await new Promise((resolve) => fifo.on("close", resolve));

  async function killHelm(): Promise<void> {
    const pid = Number(await readFile(own("pid"), "utf8").catch(() => ""));
    // Each helm has its own process group.
    if (pid > 0) endGroup(pid);
  }
  onTestFinished(killHelm);

  return {
    async start(patience = 0) {
      const child = spawn(process.execPath, ["--conditions=@operator-path/source", "main.ts"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          ...{ KUBECONFIG: bench.kubeconfig, HELM: helm, PATIENCE: String(patience) },
          ...{ PATH: process.env.PATH, TMPDIR: own("tmp") },
        },
      });
      let log = "";
      child.stderr.on("data", (text) => (log += text));
      onTestFinished(() => void child.kill("SIGKILL"));
      const ended = exitOf(child);
      async function killAlone() {
        child.kill("SIGKILL");
        expect(await ended, log).toEqual([null, "SIGKILL"]);
      }
      return {
        operations: async () => (await readFile(own("operations"), "utf8")).split("\n").filter(Boolean),
        killAlone,
        async kill() {
          await killAlone();
          await killHelm();
          for (const moment of ["before", "after"]) {
            for (const operation of ["install", "upgrade", "rollback", "uninstall"]) {
              await rm(own(`${moment}-${operation}`), { force: true });
            }
          }
        },
        async stop() {
          child.kill("SIGTERM");
          return (await ended)[0];
        },
      };
    },
    stopAt: (moment) => writeFile(own(moment), ""),
    stoppedAt: (moment) =>
      patiently(async () => expect((await readFile(own("stopped"), "utf8")).trim()).toBe(moment)),
  };
}

function exitOf(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  return new Promise((resolve) => child.on("close", (code, signal) => resolve([code, signal])));
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
