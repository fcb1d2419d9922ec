import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@operator-path/kind";
import { execa } from "execa";

export interface Traces {
  /** The cluster's name, and the registry's: what the engine has of them is ours. */
  readonly cluster: string;
  readonly registry: string;
  /** Folder of all temporary files. What runs with it in its environment is ours. */
  readonly temporary: string;
  readonly engine: Engine;
}

/** What was there before. */
export interface Before {
  readonly kubeconfig: string | undefined;
  readonly network: boolean;
}

/** To be asked before anything is made. */
export async function lookBefore({ engine }: Pick<Traces, "engine">): Promise<Before> {
  return { kubeconfig: personsKubeconfig(), network: (await list(engine, "network", "ls")).includes("kind") };
}

/** Volumes of the cluster's containers: to be asked while they are there, as nothing tells afterwards whose they were. */
export async function volumesOf({ engine, cluster, registry }: Traces): Promise<string[]> {
  const names = await ourContainers(engine, cluster, registry);
  if (names.length === 0) return [];
  const format = '{{range .Mounts}}{{if eq .Type "volume"}}{{.Name}}{{"\\n"}}{{end}}{{end}}';
  const { stdout } = await execa(engine.path, ["inspect", "--format", format, ...names]);
  return stdout.split("\n").filter(Boolean);
}

/** What the proof has left behind, a line each. Clusters and files of others that came meanwhile are none of it. */
export async function leftovers(
  traces: Traces,
  before: Before,
  volumes: readonly string[],
): Promise<string[]> {
  const { engine, cluster, registry, temporary } = traces;
  const there = new Set(await list(engine, "volume", "ls"));
  const networks = await list(engine, "network", "ls");
  // Another cluster of this machine may have begun to use it.
  const users = await list(engine, "ps", "--all", "--filter", "network=kind");
  return [
    ...(await ourContainers(engine, cluster, registry)).map((name) => `container ${name}`),
    ...volumes.filter((name) => there.has(name)).map((name) => `volume ${name}`),
    ...(networks.includes("kind") && !before.network && users.length === 0 ? ["network kind"] : []),
    ...(personsKubeconfig() === before.kubeconfig ? [] : ["~/.kube/config is another"]),
    ...readdirSync(temporary).map((name) => `file ${join(temporary, name)}`),
    ...processesWith(temporary).map((id) => `process ${id}`),
  ];
}

async function ourContainers(engine: Engine, cluster: string, registry: string): Promise<string[]> {
  const nodes = await list(engine, "ps", "--all", "--filter", `label=io.x-k8s.kind.cluster=${cluster}`);
  // The engine takes the name for a pattern.
  const named = await list(engine, "ps", "--all", "--filter", `name=^/?${registry}$`);
  return [...nodes, ...named];
}

async function list(engine: Engine, ...args: string[]): Promise<string[]> {
  const name = args[0] === "ps" ? "{{.Names}}" : "{{.Name}}";
  const { stdout } = await execa(engine.path, [...args, "--format", name]);
  return stdout.split("\n").filter(Boolean);
}

function personsKubeconfig(): string | undefined {
  try {
    return readFileSync(join(homedir(), ".kube/config"), "utf8");
  } catch {
    return undefined;
  }
}

/** Processes that were started with this text in their environment, but for this one. Linux alone tells. */
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
    // It has ended, or is somebody else's.
    return "";
  }
}
