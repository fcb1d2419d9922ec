import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import type { LocalImage } from "../images/local/image-store.ts";
import type { ContainerConfig } from "../runtime/contracts.ts";
import { ConfigError } from "../runtime/errors.ts";
import { volumeFolder } from "../volumes/volume-folder.ts";

/** The files of one run of a container on the host. */
export interface ContainerFolder {
  /** The folder that is `/` in the container. */
  readonly root: string;
  /** Volumes: path in the container → path on the host, longest first. */
  readonly mounts: readonly (readonly [string, string])[];
  /** Folders of the host that the process may read, besides its root. */
  readonly reads: readonly string[];
  /** Paths of the host to which the process may write. */
  readonly writes: readonly string[];
  remove(): Promise<void>;
}

/** Folders that every image has. */
const folders = ["/tmp", "/etc", "/home", "/root", "/var/tmp", "/run"];

/**
 * Creates the root folder of a container. It holds links to the Pod's volumes, the files that a runtime adds,
 * and a copy of the image's files, so that changes stay in the container. Only this user can enter it.
 * @param parent the folder of all containers
 */
export function makeContainerFolder(
  parent: string,
  volumes: string,
  config: ContainerConfig,
  image: LocalImage,
): ContainerFolder {
  const folder = join(parent, config.id.slice(0, 16));
  try {
    return { ...fillFolder(folder, volumes, config, image), remove: () => removeFolder(folder) };
  } catch (error) {
    // A partial container is useless, and the disk may be full.
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

async function removeFolder(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

function fillFolder(
  folder: string,
  volumes: string,
  config: ContainerConfig,
  image: LocalImage,
): Omit<ContainerFolder, "remove"> {
  const root = join(folder, "root");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Other users cannot enter the parent folder. Inside the container, every user may read `/`.
  mkdirSync(root, { mode: 0o755 });
  for (const path of folders) mkdirSync(join(root, path), { recursive: true });
  cpSync(image.root, root, { recursive: true, force: true, mode: 0 });
  for (const [path, file] of Object.entries({ ...config.image.files(config.tag), ...config.runtimeFiles })) {
    const { content, mode } = typeof file === "string" ? { content: file, mode: 0o644 } : file;
    const at = clear(root, path);
    if (at !== undefined) writeFileSync(at, content, { mode });
  }
  keepAccounts(root, folder);
  const mounts: [string, string][] = [];
  const reads = new Set<string>();
  for (const { path, target, reads: more } of image.manifest.links) {
    mounts.unshift(...place(root, path, target));
    for (const read of more) reads.add(read);
  }
  const writes = config.readOnlyRootFilesystem ? [] : [root];
  // Outer volumes come first. A volume inside another one is found by its path only, without a link in the
  // outer volume.
  for (const mount of [...config.mounts].sort((a, b) => a.path.length - b.path.length)) {
    const volume = volumeFolder(volumes, mount.volume);
    const target = mount.subPath ? join(volume, mount.subPath) : volume;
    if (mount.subPath && !mount.volume.readOnly) makeSubPath(volume, mount.subPath);
    place(root, mount.path, target);
    mounts.unshift([posix.resolve("/", mount.path).replace(/(.)\/+$/, "$1"), target]);
    reads.add(volume);
    if (!mount.readOnly && !mount.volume.readOnly) writes.push(volume);
  }
  return { root, mounts, reads: [...reads], writes };
}

/** Files of the container that replace this machine's inside a boundary. */
export const accountFiles = ["passwd", "group"] as const;

/**
 * Copies the container's users and groups beside its root before any program of it runs. Such a program could
 * replace the originals with links to files of this machine, which the next boundary would then mount.
 */
function keepAccounts(root: string, folder: string): void {
  for (const name of accountFiles) {
    const path = join(root, "etc", name);
    const isOwn = existsSync(path) && realpathSync(path) === join(realpathSync(root), "etc", name);
    if (isOwn) copyFileSync(path, join(folder, name));
  }
}

/**
 * Creates the folder of a volume that a subPath names.
 * @throws ConfigError when a link in the volume leads out of it
 */
function makeSubPath(volume: string, subPath: string): void {
  let existing = join(volume, subPath);
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  const real = existsSync(existing) ? realpathSync(existing) : "";
  if (!`${real}${sep}`.startsWith(`${realpathSync(volume)}${sep}`))
    throw new ConfigError(`the subPath ${subPath} goes through a link that leads out of its volume`);
  mkdirSync(join(volume, subPath), { recursive: true });
}

/**
 * Puts a link at a path of the container, and replaces what the image has there.
 * @returns the entries for `mounts` that lead to the target instead, when the path is behind another link
 */
function place(root: string, path: string, target: string): [string, string][] {
  const at = clear(root, path);
  if (at === undefined) return [[posix.resolve("/", path), target]];
  symlinkSync(target.startsWith(dirname(dirname(root))) ? relative(dirname(at), target) : target, at);
  return [];
}

/**
 * Removes what is at a path of the container, and creates its parent folders.
 * @returns the path on the host. undefined: a parent is a file or a link, for example to a volume or the
 *   project's node_modules. The target does not belong to the container, so nothing was changed
 */
function clear(root: string, path: string): string | undefined {
  const names = posix.resolve("/", path).split("/").slice(1);
  const name = names.pop();
  if (!name) return undefined;
  let folder = root;
  for (const parent of names) {
    folder = join(folder, parent);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(folder);
    else if (!stat.isDirectory()) return undefined;
  }
  // Removes only files of the container, even if a parent was replaced meanwhile.
  if (!`${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(root)}${sep}`)) return undefined;
  const at = join(folder, name);
  rmSync(at, { recursive: true, force: true });
  return at;
}
