import { type EngineName, hostOf } from "@operator-path/kind";
import type { Machine } from "./machine.ts";

/** Facts of an engine about the machine that runs its containers. */
export interface EngineFacts {
  /**
   * The containers run on another machine: a virtual one, as on macOS and with Docker Desktop, or a remote
   * one.
   */
  readonly elsewhere?: true;
  /** Memory of that machine, in bytes. */
  readonly memory?: number;
  /** Folder of the images, on that machine. */
  readonly folder?: string;
  /**
   * Set if the engine runs as this user. `lacks` lists cgroup controllers that kind needs, but that are not
   * delegated to this user.
   */
  readonly rootless?: { readonly lacks: readonly string[] };
}

/** @param answer the JSON of the engine's `info`, as docker, nerdctl or podman prints it */
export function engineFacts(machine: Machine, engine: EngineName, answer: string): EngineFacts {
  const info = parse(answer);
  const host = record(info.host);
  const memory = info.MemTotal ?? host.memTotal;
  const folder = info.DockerRootDir ?? record(info.store).graphRoot;
  const known = typeof memory === "number" && memory > 0 ? memory : undefined;
  const elsewhere =
    machine.platform !== "linux" ||
    /^(tcp|ssh|https?):/.test(hostOf(engine, machine.env) ?? "") ||
    info.OperatingSystem === "Docker Desktop" ||
    host.serviceIsRemote === true ||
    // A virtual machine has a part of the memory.
    (known !== undefined && known < machine.memory * 0.9);
  const rootless = engine === "podman" ? podmanRootless(host) : dockerRootless(info);
  return {
    ...(elsewhere && { elsewhere }),
    ...(known !== undefined && { memory: known }),
    ...(typeof folder === "string" && folder !== "" && { folder }),
    ...(rootless && { rootless }),
  };
}

/**
 * Source: kind 0.33 (`pkg/cluster/internal/providers/docker/provider.go`), which rejects an engine that lacks
 * one.
 */
function dockerRootless(info: Fields): EngineFacts["rootless"] {
  const options = Array.isArray(info.SecurityOptions) ? info.SecurityOptions.map(String) : [];
  if (!options.some((option) => option.split(",").includes("name=rootless"))) return undefined;
  const controllers = { memory: info.MemoryLimit, pids: info.PidsLimit, cpu: info.CPUShares };
  const names = Object.entries(controllers)
    .filter(([, isThere]) => info.CgroupDriver === "none" || isThere !== true)
    .map(([name]) => name);
  return { lacks: names };
}

/** Source: kind's podman provider. Before version 4, podman does not list its controllers. */
function podmanRootless(host: Fields): EngineFacts["rootless"] {
  if (record(host.security).rootless !== true) return undefined;
  const { cgroupControllers: there } = host;
  return {
    lacks: Array.isArray(there) ? ["memory", "pids", "cpu"].filter((name) => !there.includes(name)) : [],
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
