import type { IFileSystem } from "just-bash";
import type { Container } from "../runtime/contracts.ts";
import type { SimulatedProcess } from "../runtime/process-table.ts";
import { effectiveCapabilities, mayInspect } from "../runtime/security.ts";
import { type AccessTable, errno } from "./access.ts";

const PROCESS_ENTRIES = ["cmdline", "comm", "cwd", "environ", "exe", "root", "stat", "status"];

/**
 * Returns an entry of /proc in the viewer's PID namespace.
 * @throws Error with Node.js's code EACCES or ENOENT
 */
export async function procNode(path: string, viewer: Container, follow: boolean): Promise<Place> {
  const { processes, clock } = viewer.config;
  const [, , first, entry, ...rest] = path.split("/");
  const node = (
    made:
      | Omit<Extract<Node, { type: "file" }>, "mtime">
      | Omit<Extract<Node, { type: "directory" }>, "mtime">
      | Omit<Extract<Node, { type: "link" }>, "mtime">,
  ): Place => ({
    node: { ...made, mtime: clock.now() } as Node,
    path,
  });
  if (first === undefined || first === "") {
    const pids = processes.list().map(({ pid }) => String(pid));
    return node({ type: "directory", entries: [...pids, ...Object.keys(SYSTEM_FILES), "self"] });
  }
  const system = SYSTEM_FILES[first];
  if (system && entry === undefined) return node({ type: "file", content: system(viewer) });
  const process = first === "self" ? ownProcess(viewer) : processes.get(Number(first));
  if (!process) throw errno("ENOENT", path);
  if (entry === undefined || entry === "") return node({ type: "directory", entries: PROCESS_ENTRIES });
  if (rest.length === 0 || (rest.length === 1 && rest[0] === "")) {
    if (entry === "cmdline")
      return node({ type: "file", content: process.argv.map((word) => `${word}\0`).join("") });
    if (entry === "comm") return node({ type: "file", content: `${nameOf(process)}\n` });
    if (entry === "stat")
      return node({ type: "file", content: `${process.pid} (${nameOf(process)}) S ${process.ppid} 0 0\n` });
    if (entry === "status") return node({ type: "file", content: statusOf(process) });
    if (entry === "environ") {
      permit(viewer, process, path);
      return node({
        type: "file",
        content: Object.entries(process.env)
          .map(([k, v]) => `${k}=${v}\0`)
          .join(""),
      });
    }
    if (entry === "exe") {
      permit(viewer, process, path);
      return node({ type: "link", target: process.argv[0] ?? "" });
    }
  }
  if (entry === "root" || entry === "cwd") {
    // Every user may list the link. Only following it needs permission.
    if (rest.length === 0 && !follow)
      return node({ type: "link", target: entry === "root" ? "/" : process.cwd });
    permit(viewer, process, path);
    const owner =
      process.container === viewer.config.name ? viewer : viewer.config.siblings(process.container);
    if (!owner) throw errno("EACCES", path);
    const files = await owner.filesystem();
    const inside = files.resolvePath(
      entry === "root" ? "/" : process.cwd,
      rest.filter((part) => part !== ".").join("/") || ".",
    );
    return { fs: files.seenBy(viewer), path: inside };
  }
  throw errno("ENOENT", path);
}

function permit(viewer: Container, process: SimulatedProcess, path: string): void {
  if (process.container === viewer.config.name) return;
  const owner = viewer.config.siblings(process.container);
  const { uid, gid } = process;
  const capabilities =
    owner?.config.credentials.uid === uid
      ? owner.config.credentials.capabilities
      : effectiveCapabilities(uid, {});
  if (!mayInspect(viewer.config.credentials, { uid, gid, capabilities })) throw errno("EACCES", path);
}

function ownProcess(viewer: Container): SimulatedProcess | undefined {
  return viewer.config.processes.list().findLast(({ container }) => container === viewer.config.name);
}

function nameOf(process: SimulatedProcess): string {
  const [command = ""] = process.argv;
  return command.slice(command.lastIndexOf("/") + 1).slice(0, 15);
}

function statusOf(process: SimulatedProcess): string {
  const ids = (n: number) => `${n}\t${n}\t${n}\t${n}`;
  return `Name:\t${nameOf(process)}\nState:\tS (sleeping)\nTgid:\t${process.pid}\nPid:\t${process.pid}\nPPid:\t${process.ppid}\nUid:\t${ids(process.uid)}\nGid:\t${ids(process.gid)}\n`;
}

const SYSTEM_FILES: Record<string, (viewer: Container) => string> = {
  cpuinfo: () => "processor\t: 0\nmodel name\t: simulated\n",
  loadavg: (viewer) => `0.00 0.00 0.00 1/${viewer.config.processes.list().length} 1\n`,
  meminfo: () => "MemTotal:        8388608 kB\nMemFree:         8388608 kB\nMemAvailable:    8388608 kB\n",
  mounts: (viewer) =>
    [
      "overlay / overlay rw 0 0\n",
      "proc /proc proc rw 0 0\n",
      ...viewer.config.mounts.map(
        ({ path, readOnly }) => `tmpfs ${path} tmpfs ${readOnly ? "ro" : "rw"} 0 0\n`,
      ),
    ].join(""),
  uptime: (viewer) => `${((viewer.config.clock.now() - viewer.startedAt) / 1000).toFixed(2)} 0.00\n`,
  version: () => "Linux version simulated (operator-path)\n",
};

/** A file, folder or link that /proc generates. */
export type Node = { mtime: number } & (
  | { type: "file"; content: string }
  | { type: "directory"; entries: string[] }
  | { type: "link"; target: string }
);

/** The target of a path: a path in a file system, or a node of /proc. */
export type Place =
  | { fs: IFileSystem; path: string; access?: AccessTable; readOnly?: boolean }
  | { node: Node; path: string };
