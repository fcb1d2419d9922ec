import { z } from "zod";
import type { EngineName } from "./engine.ts";

/** Arguments that make an engine describe its server in JSON; all three fail when it cannot be reached. */
export const infoArguments: Readonly<Record<EngineName, readonly string[]>> = {
  docker: ["info", "--format", "{{json .}}"],
  nerdctl: ["info", "--format", "{{json .}}"],
  podman: ["info", "--format", "json"],
};

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
export function describe(answer: string): { version: string; cgroup?: 1 | 2 } | undefined {
  const json = parse(answer);
  const docker = dockerInfo.safeParse(json);
  if (docker.success) return result(docker.data.ServerVersion, docker.data.CgroupVersion);
  const podman = podmanInfo.safeParse(json);
  return podman.success ? result(podman.data.version.Version, podman.data.host.cgroupVersion) : undefined;
}

function result(version: string, cgroup: string | undefined): { version: string; cgroup?: 1 | 2 } {
  const known = { "1": 1, v1: 1, "2": 2, v2: 2 } as const;
  return cgroup !== undefined && Object.hasOwn(known, cgroup)
    ? { version, cgroup: known[cgroup as keyof typeof known] }
    : { version };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
