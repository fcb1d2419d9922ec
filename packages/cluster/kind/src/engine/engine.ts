import { z } from "zod";

/** The programs that kind can work with. */
export type EngineName = "docker" | "podman" | "nerdctl";

/** A container engine that has answered. */
export interface Engine {
  readonly name: EngineName;
  /** Absolute path of its command line. */
  readonly path: string;
  /** The server's own version, as it says it. */
  readonly version: string;
  /** DOCKER_HOST or CONTAINER_HOST, where that is set. */
  readonly host?: string;
  /** Of the machine that runs the containers; a kubelet of Kubernetes 1.35 or newer refuses 1 unless told otherwise. */
  readonly cgroup?: 1 | 2;
}

/** Arguments that make an engine describe its server in JSON; all three fail when it cannot be reached. */
export const infoArguments: Readonly<Record<EngineName, readonly string[]>> = {
  docker: ["info", "--format", "{{json .}}"],
  nerdctl: ["info", "--format", "{{json .}}"],
  podman: ["info", "--format", "json"],
};

/** What an engine says of its server. */
export interface Description {
  /** podman's answer is podman's, whatever the program is called that gave it. */
  readonly isPodman: boolean;
  readonly version: string;
  readonly cgroup?: 1 | 2;
}

/** docker's own, and nerdctl's, which imitates it. */
const dockerInfo = z.object({
  ServerVersion: z.string().min(1),
  CgroupVersion: z.string().optional(),
});
/** docker's command line may be podman's, which answers in podman's words. */
const podmanInfo = z.object({
  version: z.object({ Version: z.string() }),
  host: z.object({ cgroupVersion: z.string().optional() }),
});

/** What the answer says, or undefined when it is none of an engine's. */
export function describe(answer: string): Description | undefined {
  const json = parse(answer);
  const docker = dockerInfo.safeParse(json);
  if (docker.success) return result(false, docker.data.ServerVersion, docker.data.CgroupVersion);
  const podman = podmanInfo.safeParse(json);
  return podman.success
    ? result(true, podman.data.version.Version, podman.data.host.cgroupVersion)
    : undefined;
}

function result(isPodman: boolean, version: string, cgroup: string | undefined): Description {
  const known = { "1": 1, v1: 1, "2": 2, v2: 2 } as const;
  return cgroup !== undefined && Object.hasOwn(known, cgroup)
    ? { isPodman, version, cgroup: known[cgroup as keyof typeof known] }
    : { isPodman, version };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
