import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { accountFiles, type ContainerFolder } from "../container-folder.ts";
import type { Mount } from "./boundary.ts";

/** The files of the system for resolving names, checking certificates and reading clocks. */
const system = [
  ..."resolv.conf hosts nsswitch.conf host.conf gai.conf localtime ld.so.cache"
    .split(" ")
    .map((name) => `/etc/${name}`),
  ..."/etc/ssl/certs /etc/ssl/cert.pem /etc/pki/tls/certs /etc/pki/ca-trust/extracted /etc/ca-certificates".split(
    " ",
  ),
  ..."/usr/share/ca-certificates /usr/local/share/ca-certificates /usr/share/zoneinfo".split(" "),
];

/**
 * Returns what every confined program sees: parts of the system, Node and its libraries. Not Node's folder,
 * which may be /usr/bin.
 */
export async function systemMounts(): Promise<Mount[]> {
  const libraries = await librariesOf(process.execPath);
  return [...system, ...libraries, process.execPath].map((path) => ({ path }));
}

/**
 * Returns what a container's programs see: its root folder, its volumes and the folders that its image refers
 * to.
 */
export function containerMounts({ root, reads, writes }: ContainerFolder): Mount[] {
  const writable = new Set(writes);
  return [
    ...[root, ...reads].map((path) => ({ path, writable: writable.has(path) })),
    ...accountFiles.map((name) => ({ path: `/etc/${name}`, from: join(dirname(root), name) })),
  ];
}

/**
 * Returns the settings of this machine's kernel. A process of a cluster that root has started could write to
 * them without any capability, so each boundary makes them read-only.
 */
export function kernelSettings(): string[] {
  return ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"].filter((path) => existsSync(path));
}

/** Returns the shared libraries of a program, as its loader names them. A static program has none. */
export async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ldd", [program]).catch(() => ({ stdout: "" }));
  return [...stdout.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path]) => path as string);
}

/** Returns the mounts whose source exists, each once, outer folders before inner ones. */
export function presentMounts(
  mounts: readonly Mount[],
): (Required<Mount> & { readonly isFolder: boolean })[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()]
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap(({ path, from = path, writable = false }) => {
      const stat = statSync(from, { throwIfNoEntry: false });
      return stat ? [{ path, from, writable, isFolder: stat.isDirectory() }] : [];
    });
}

/**
 * O_PATH, which Node does not name: opens a file without reading or writing it, whatever its mode and kind.
 */
const pathOnly = 0o10000000;

/**
 * Returns the options of a path's mount that a user namespace cannot remove. Without them the kernel rejects
 * a read-only mount of the path (EPERM).
 *
 * @param path an existing file or folder
 */
export function lockedOptions(path: string): string[] {
  const fd = openSync(path, pathOnly);
  try {
    const id = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    // The fields of a line: id, parent, device, root, mount point, options.
    const fields = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((row) => row.split(" "))
      .find(([first]) => first === id);
    const options = fields?.[5]?.split(",") ?? [];
    return options.filter((option) => /^(?:nosuid|nodev|noexec|noatime|nodiratime)$/.test(option));
  } finally {
    closeSync(fd);
  }
}

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/**
 * Finds a program of the system. Searches the system's own folders and not PATH, because the program runs
 * before there is a boundary.
 *
 * @returns its absolute path
 * @throws Error when it is not installed
 */
export async function findProgram(name: string): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`${name} is not installed`);
}
