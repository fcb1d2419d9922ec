import { type IFileSystem, ReadWriteFs } from "just-bash";
import type { Container, ContainerConfig, ContainerFileSystem, ImageFile } from "../runtime/contracts.ts";
import type { Credentials } from "../runtime/security.ts";
import { volumeFiles } from "../volumes/volume.ts";
import { createAccessTable, errno } from "./access.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { type Node, type Place, procNode } from "./proc.ts";

const DIRECTORIES = [
  "/dev",
  "/etc",
  "/home",
  "/root",
  "/tmp",
  "/usr",
  "/var",
  "/proc",
  "/sys",
  "/dev/shm",
  "/run",
];

export function createContainerFileSystem(container: Container): ContainerFileSystem {
  const { config } = container;
  const mtime = new Date(container.startedAt);
  const hostRoot = config.image.hostRoot?.(container);
  // Everything except volumes. The root folder of a process on the host does not follow links that lead out
  // of it.
  const base = hostRoot ? new ReadWriteFs({ root: hostRoot }) : inMemory(config, mtime);
  const access = createAccessTable();
  for (const open of ["/tmp", "/dev/shm", "/dev/null", "/dev/zero", "/dev/tty"]) access.open(open);

  const mounts = config.mounts
    .map((mount) => ({ ...mount, path: trim(mount.path) }))
    .sort((a, b) => b.path.length - a.path.length);

  async function place(path: string, viewer: Container, follow: boolean): Promise<Place> {
    if (path === "/proc" || path.startsWith("/proc/")) return procNode(path, viewer, follow);
    for (const mount of mounts) {
      if (path !== mount.path && !path.startsWith(`${mount.path}/`)) continue;
      const { fs, access: table } = volumeFiles(mount.volume, mtime);
      const inside = `${mount.subPath ? `/${mount.subPath}` : ""}${path.slice(mount.path.length)}` || "/";
      return { fs, path: inside, access: table, readOnly: mount.readOnly };
    }
    return { fs: base, path, access, readOnly: config.readOnlyRootFilesystem };
  }

  return createView(place, container, base);
}

/** Returns the image's files and those that a runtime adds. */
function inMemory(config: ContainerConfig, mtime: Date): MemoryDisk {
  const files: Record<string, ImageFile> = { ...config.image.files(config.tag), ...config.runtimeFiles };
  const memory = new MemoryDisk(
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [
        path,
        typeof file === "string" ? { content: file, mode: 0o644, mtime } : { ...file, mtime },
      ]),
    ),
  );
  for (const directory of DIRECTORIES) memory.mkdirSync(directory, { recursive: true });
  for (const device of ["null", "zero", "random", "urandom", "tty"])
    memory.writeFileSync(`/dev/${device}`, "");
  for (const mount of config.mounts) memory.mkdirSync(mount.path, { recursive: true });
  return memory;
}

function trim(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** Returns the file system interface over places. Checks the viewer's permissions. */
function createView(
  /** @param follow whether to follow a link of /proc at the end of the path */
  locate: (path: string, viewer: Container, follow: boolean) => Promise<Place>,
  viewer: Container,
  base: IFileSystem,
): ContainerFileSystem {
  let refusals = new Map<string, string>();
  const credentials: Credentials = viewer.config.credentials;
  const refuse = (code: "EACCES" | "EROFS" | "EPERM", path: string): never => {
    refusals.set(
      path,
      code === "EACCES"
        ? "Permission denied"
        : code === "EPERM"
          ? "Operation not permitted"
          : "Read-only file system",
    );
    throw errno(code, path);
  };
  async function locatePlace(path: string, follow = true): Promise<Place> {
    const normal = base.resolvePath("/", path);
    try {
      return await locate(normal, viewer, follow);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("EACCES"))
        refusals.set(path, "Permission denied");
      throw error;
    }
  }
  async function read<T>(
    path: string,
    file: (fs: IFileSystem, path: string) => Promise<T>,
    node: (node: Node) => T,
  ): Promise<T> {
    const place = await locatePlace(path);
    if ("node" in place) return node(place.node);
    if (place.access && !(await place.access.mayRead(place.fs, place.path, credentials)))
      refuse("EACCES", path);
    return file(place.fs, place.path);
  }
  /** @param what whether the entry itself changes, or the folder that holds it */
  async function write(
    path: string,
    what: "entry" | "folder",
    act: (fs: IFileSystem, path: string) => Promise<void>,
  ): Promise<void> {
    const place = await locatePlace(path);
    if ("node" in place) return refuse("EACCES", path);
    if (place.readOnly) refuse("EROFS", path);
    if (place.access && !(await place.access.mayWrite(place.fs, place.path, what, credentials)))
      refuse("EACCES", path);
    try {
      await act(place.fs, place.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC") refusals.set(path, "No space left on device");
      throw error;
    }
    place.access?.made(place.path, credentials.uid);
  }
  const content = (node: Node, path = "") => {
    if (node.type === "file") return node.content;
    throw errno("EISDIR", path);
  };

  const view: ContainerFileSystem = {
    readFile: (path, options) =>
      read(
        path,
        (fs, p) => fs.readFile(p, options),
        (node) => content(node, path),
      ),
    readFileBuffer: (path) =>
      read(
        path,
        (fs, p) => fs.readFileBuffer(p),
        (node) => Buffer.from(content(node, path)),
      ),
    writeFile: (path, data, options) => write(path, "entry", (fs, p) => fs.writeFile(p, data, options)),
    appendFile: (path, data, options) => write(path, "entry", (fs, p) => fs.appendFile(p, data, options)),
    async exists(path) {
      return locatePlace(path).then(
        (place) => ("node" in place ? true : place.fs.exists(place.path)),
        () => false,
      );
    },
    stat: async (path) => {
      const place = await locatePlace(path);
      return "node" in place ? nodeStat(place.node) : place.fs.stat(place.path);
    },
    lstat: async (path) => {
      const place = await locatePlace(path, false);
      return "node" in place ? nodeStat(place.node) : place.fs.lstat(place.path);
    },
    mkdir: (path, options) => write(path, "folder", (fs, p) => fs.mkdir(p, options)),
    readdir: (path) =>
      read(
        path,
        (fs, p) => fs.readdir(p),
        (node) => {
          if (node.type === "directory") return node.entries;
          throw errno("ENOTDIR", path);
        },
      ),
    rm: (path, options) => write(path, "folder", (fs, p) => fs.rm(p, options)),
    async cp(from, to, options) {
      // Places may differ, so files are copied byte by byte and folders entry by entry.
      const stat = await view.stat(from);
      if (!stat.isDirectory) return view.writeFile(to, await view.readFileBuffer(from));
      if (!options?.recursive) throw errno("EISDIR", from);
      if (!(await view.exists(to))) await view.mkdir(to, { recursive: true });
      for (const name of await view.readdir(from)) await view.cp(`${from}/${name}`, `${to}/${name}`, options);
    },
    async mv(from, to) {
      await view.cp(from, to, { recursive: true });
      await view.rm(from, { recursive: true });
    },
    resolvePath: (from, path) => base.resolvePath(from, path),
    getAllPaths: () => base.getAllPaths(),
    chmod: (path, mode) => write(path, "entry", (fs, p) => fs.chmod(p, mode)),
    symlink: (target, path) => write(path, "folder", (fs, p) => fs.symlink(target, p)),
    link: async (from, to) => {
      const data = await view.readFileBuffer(from);
      await view.writeFile(to, data);
    },
    async readlink(path) {
      const place = await locatePlace(path, false);
      if (!("node" in place)) return place.fs.readlink(place.path);
      if (place.node.type !== "link") throw errno("EINVAL", path);
      // Reading a link needs the same permission as following it.
      await locatePlace(path);
      return place.node.target;
    },
    realpath: async (path) => {
      const place = await locatePlace(path);
      if ("node" in place || place.path !== path) {
        await view.stat(path);
        return base.resolvePath("/", path);
      }
      return place.fs.realpath(place.path);
    },
    utimes: (path, atime, mtime) => write(path, "entry", (fs, p) => fs.utimes(p, atime, mtime)),
    seenBy: (other) => createView(locate, other, base),
    takeRefusals() {
      const refusedPaths = refusals;
      refusals = new Map();
      return refusedPaths;
    },
  };
  return view;
}

function nodeStat(node: Node) {
  return {
    isFile: node.type === "file",
    isDirectory: node.type === "directory",
    isSymbolicLink: node.type === "link",
    mode: { file: 0o444, directory: 0o555, link: 0o777 }[node.type],
    size: 0,
    mtime: new Date(node.mtime),
  };
}
