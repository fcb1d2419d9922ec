import { z } from "zod";

/** The programs that kind can work with. */
export type EngineName = "docker" | "podman" | "nerdctl";

/** A container engine that has answered. */
export interface Engine {
  readonly name: EngineName;
  /** Absolute path of its command line. */
  readonly path: string;
  /** The server's own version. */
  readonly version: string;
  /** DOCKER_HOST or CONTAINER_HOST, if set. */
  readonly host?: string;
  /**
   * The cgroup version of the containers' machine. A kubelet of Kubernetes 1.35 or newer rejects 1 by
   * default.
   */
  readonly cgroup?: 1 | 2;
}

/**
 * Arguments with which an engine describes its server in JSON. The command fails if the server cannot be
 * reached.
 */
export const infoArguments: Readonly<Record<EngineName, readonly string[]>> = {
  docker: ["info", "--format", "{{json .}}"],
  nerdctl: ["info", "--format", "{{json .}}"],
  podman: ["info", "--format", "json"],
};

/** An engine's description of its server. */
export interface Description {
  /** True if the answer is podman's, whatever the program's name. */
  readonly isPodman: boolean;
  readonly version: string;
  readonly cgroup?: 1 | 2;
}

/** Also for nerdctl, which imitates docker. */
const dockerInfo = z.object({
  ServerVersion: z.string().min(1),
  CgroupVersion: z.string().optional(),
});
/** docker's command line may be podman, which answers in its own format. */
const podmanInfo = z.object({
  version: z.object({ Version: z.string() }),
  host: z.object({ cgroupVersion: z.string().optional() }),
});

/** Parses the answer. Returns undefined if it is not an engine's. */
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
