import { executablesOnPath } from "@operator-path/tools";
import { ask } from "./ask.ts";
import type { Machine } from "./machine.ts";

/** A container engine that is on the PATH. */
export interface EngineState {
  readonly name: "docker" | "podman" | "nerdctl";
  readonly path: string;
  /** silent: nobody listens. denied: somebody does, and not for this user. */
  readonly status: "ready" | "silent" | "denied" | "hung";
  /** Its own words, where it is not ready. */
  readonly complaint: string;
  /** The server's. */
  readonly version?: string;
  /** Of the machine on which containers run: on macOS that is a virtual one. */
  readonly cgroup?: 1 | 2;
  /** Bytes, of the same machine. */
  readonly memory?: number;
  /** Where it keeps images, on the same machine. */
  readonly folder?: string;
}

const names = ["docker", "podman", "nerdctl"] as const;

/** Each engine that is installed, in the order in which kind looks for them. */
export async function lookForEngines(machine: Machine): Promise<EngineState[]> {
  const states = await Promise.all(
    names.map(async (name) => {
      const [path] = await executablesOnPath(name, machine.env);
      return path === undefined ? [] : [await inspect(machine, name, path)];
    }),
  );
  return states.flat();
}

async function inspect(machine: Machine, name: EngineState["name"], path: string): Promise<EngineState> {
  const { stdout, complaint, outcome } = await ask(machine, path, ["info", "--format", "{{json .}}"]);
  if (outcome === "hung") return { name, path, status: "hung", complaint };
  const info = parse(stdout);
  // docker's command line answers for itself when its daemon does not.
  const version = text(info.ServerVersion) ?? text(record(info.version).Version);
  if (version === undefined) {
    const status = /permission denied/i.test(complaint) ? "denied" : "silent";
    return { name, path, status, complaint: complaint || "its server does not answer" };
  }
  const host = record(info.host);
  const cgroup = /[12]/.exec(text(info.CgroupVersion) ?? text(host.cgroupVersion) ?? "")?.[0];
  const memory = info.MemTotal ?? host.memTotal;
  const folder = text(info.DockerRootDir) ?? text(record(info.store).graphRoot);
  return {
    name,
    path,
    status: "ready",
    complaint: "",
    version,
    ...(cgroup && { cgroup: cgroup === "1" ? 1 : 2 }),
    ...(typeof memory === "number" && { memory }),
    ...(folder && { folder }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(json: string): Fields {
  try {
    return record(JSON.parse(json));
  } catch {
    return {};
  }
}

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
