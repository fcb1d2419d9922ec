import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "@operator-path/kind";
import { execa } from "execa";

export interface Traces {
  /** The names of the cluster and the registry: everything with these names belongs to the proof. */
  readonly cluster: string;
  readonly registry: string;
  /** The folder of all temporary files. Processes with it in their environment belong to the proof. */
  readonly temporary: string;
  readonly engine: Engine;
}

/** The state before the proof. */
export interface Before {
  readonly kubeconfig: string | undefined;
  readonly network: boolean;
}

/** Returns the state before the proof creates anything. */
export async function lookBefore({ engine }: Pick<Traces, "engine">): Promise<Before> {
  return {
    kubeconfig: readUserKubeconfig(),
    network: (await list(engine, "network", "ls")).includes("kind"),
  };
}

/** Returns the volumes of the cluster's containers. Call it while the containers exist: later nothing links them. */
export async function volumesOf({ engine, cluster, registry }: Traces): Promise<string[]> {
  const names = await ourContainers(engine, cluster, registry);
  if (names.length === 0) return [];
  const format = '{{range .Mounts}}{{if eq .Type "volume"}}{{.Name}}{{"\\n"}}{{end}}{{end}}';
  const { stdout } = await execa(engine.path, ["inspect", "--format", format, ...names]);
  return stdout.split("\n").filter(Boolean);
}

/** Returns one line for each leftover of the proof. Ignores clusters and files that others created meanwhile. */
export async function leftovers(
  traces: Traces,
  before: Before,
  volumes: readonly string[],
): Promise<string[]> {
  const { engine, cluster, registry, temporary } = traces;
  const there = new Set(await list(engine, "volume", "ls"));
  const networks = await list(engine, "network", "ls");
  // Another cluster of this machine may use it by now.
  const users = await list(engine, "ps", "--all", "--filter", "network=kind");
  return [
    ...(await ourContainers(engine, cluster, registry)).map((name) => `container ${name}`),
    ...volumes.filter((name) => there.has(name)).map((name) => `volume ${name}`),
    ...(networks.includes("kind") && !before.network && users.length === 0 ? ["network kind"] : []),
    ...(readUserKubeconfig() === before.kubeconfig ? [] : ["~/.kube/config has changed"]),
    ...readdirSync(temporary).map((name) => `file ${join(temporary, name)}`),
    ...(await lastingProcesses(temporary)),
  ];
}

async function ourContainers(engine: Engine, cluster: string, registry: string): Promise<string[]> {
  const nodes = await list(engine, "ps", "--all", "--filter", `label=io.x-k8s.kind.cluster=${cluster}`);
  // The engine reads the name as a pattern.
  const named = await list(engine, "ps", "--all", "--filter", `name=^/?${registry}$`);
  return [...nodes, ...named];
}

async function list(engine: Engine, ...args: string[]): Promise<string[]> {
  const name = args[0] === "ps" ? "{{.Names}}" : "{{.Name}}";
  const { stdout } = await execa(engine.path, [...args, "--format", name]);
  return stdout.split("\n").filter(Boolean);
}

function readUserKubeconfig(): string | undefined {
  try {
    return readFileSync(join(homedir(), ".kube/config"), "utf8");
  } catch {
    return undefined;
  }
}

/** How long a process that is ending may take, in milliseconds. */
const patience = 5_000;

/** Returns a line for each process of the proof that does not end by itself. */
async function lastingProcesses(temporary: string): Promise<string[]> {
  const until = performance.now() + patience;
  while (processesWith(temporary).length > 0 && performance.now() < until) await sleep(100);
  return processesWith(temporary).map((id) => `process ${id}: ${commandOf(id)}`);
}

function commandOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "it has ended";
  }
}

/** Returns the other processes with this text in their environment. Linux only. */
function processesWith(text: string): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((id) => id > 0 && id !== process.pid && environmentOf(id).includes(text));
  } catch {
    return [];
  }
}

function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, "utf8");
  } catch {
    // It has ended, or belongs to another user.
    return "";
  }
}
