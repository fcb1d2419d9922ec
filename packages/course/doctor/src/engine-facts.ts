import { type EngineName, hostOf } from "@operator-path/kind";
import type { Machine } from "./machine.ts";

/** What an engine says of the machine that its containers run on. */
export interface EngineFacts {
  /** That machine is another one: a virtual one on this, as on macOS and with Docker Desktop, or one far away. */
  readonly elsewhere?: true;
  /** Bytes, of that machine. */
  readonly memory?: number;
  /** Where it keeps images, on that machine. */
  readonly folder?: string;
  /** It runs as this user. `lacks`: cgroup controllers that kind needs, and that were not delegated to that user. */
  readonly rootless?: { readonly lacks: readonly string[] };
}

/** @param answer of the engine's `info`, as JSON: docker's or nerdctl's words, or podman's */
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
    // What is virtual has a part of the memory.
    (known !== undefined && known < machine.memory * 0.9);
  const rootless = engine === "podman" ? podmanRootless(host) : dockerRootless(info);
  return {
    ...(elsewhere && { elsewhere }),
    ...(known !== undefined && { memory: known }),
    ...(typeof folder === "string" && folder !== "" && { folder }),
    ...(rootless && { rootless }),
  };
}

/** Source: kind 0.33 (`pkg/cluster/internal/providers/docker/provider.go`), which refuses what lacks one of them. */
function dockerRootless(info: Fields): EngineFacts["rootless"] {
  const options = Array.isArray(info.SecurityOptions) ? info.SecurityOptions.map(String) : [];
  if (!options.some((option) => option.split(",").includes("name=rootless"))) return undefined;
  const controllers = { memory: info.MemoryLimit, pids: info.PidsLimit, cpu: info.CPUShares };
  const names = Object.entries(controllers)
    .filter(([, isThere]) => info.CgroupDriver === "none" || isThere !== true)
    .map(([name]) => name);
  return { lacks: names };
}

/** Source: the same of podman's; before podman 4 it does not say which there are. */
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
