import { createReadStream } from "node:fs";
import { lstat, readdir, readlink, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { TarPackController } from "modern-tar";
import type { PodReference } from "../pods/pod-reference.ts";
import type { Transport } from "../transport.ts";
import { containerPath, hasFolder, loadModernTar, placeOf, runTar } from "./container-tar.ts";
import {
  CopyError,
  type CopyOptions,
  type CopyResult,
  type Counter,
  childOf,
  createCounter,
} from "./copy.ts";

/**
 * Copies a local file or folder into a container, like `kubectl cp LOCAL POD:PATH`. Runs `tar` in the
 * container. For a folder, it runs `test` first.
 *
 * The target is the path of the copy itself, as in Node's `fs.cp`: if the target is a folder, the source's
 * files go directly into it, not into a subfolder. The target's parent must exist. Modes are kept. An
 * existing target folder keeps its own mode if the container has `test`; existing folders below it get the
 * source's mode. Owner and time are those of the `tar` process. Symlinks are copied as symlinks, but a source
 * that is a symlink is followed. Sockets, pipes and devices are skipped.
 *
 * A failed copy may leave files behind in the container, because `tar` may have written a part.
 *
 * @param source local path
 * @param target path in the container, relative to its working directory
 * @returns the number of copied files and bytes, and the skipped entries
 * @throws CopyError when modern-tar or the container's tar is missing, or tar fails
 * @throws the error of the file system or of `exec`; the signal's reason; UsageError for a target without a
 *   name
 */
export async function copyToPod(
  client: Transport,
  pod: PodReference,
  source: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopyResult> {
  const destination = containerPath(target);
  // A missing source must be reported before anything is sent.
  const isFolder = (await stat(source)).isDirectory();
  const { createTarPacker } = await loadModernTar();
  const inside = posix.join(destination.folder, destination.name);
  const isMerge = isFolder && (await hasFolder(client, pod, inside, signal ? { signal } : {}));
  // GNU tar would set the mode of the folder's own entry on an existing folder, and replace a symlink to a
  // folder. So that entry is not sent, as in kubectl.
  const { folder, name } = isMerge ? { folder: inside, name: "" } : destination;
  const { readable, controller } = createTarPacker();
  const counter = createCounter(onProgress);
  let isPacked = false;
  const packing = pack(controller, { path: source, name, relative: "", follow: true }, counter)
    .then(() => controller.finalize())
    .then(
      () => {
        isPacked = true;
      },
      // exec rejects with this error, because it is the error of its standard input.
      (error: unknown) => controller.error(error),
    );
  await runTar(client, pod, ["-xpmf", "-", "-C", folder], { stdin: readable, ...(signal && { signal }) });
  await packing;
  if (!isPacked) {
    throw new CopyError("TarFailed", `tar in ${placeOf(pod)} exited before it had read the whole archive`);
  }
  return counter.result();
}

interface LocalEntry {
  readonly path: string;
  /** The name in the archive. A folder without a name gets no entry of its own. */
  readonly name: string;
  /** The path relative to the source. */
  readonly relative: string;
  readonly follow?: boolean;
}

async function pack(controller: TarPackController, entry: LocalEntry, counter: Counter): Promise<void> {
  const { path, name, relative } = entry;
  const found = await (entry.follow ? stat : lstat)(path);
  // With the local user's ID, a tar that runs as root would set that ID as the owner.
  const header = { name, mode: found.mode & 0o777, mtime: found.mtime, uid: 0, gid: 0, size: 0 };
  if (found.isDirectory()) {
    if (name !== "") await controller.add({ ...header, name: `${name}/`, type: "directory" }).close();
    for (const child of (await readdir(path)).sort()) {
      const below = {
        path: join(path, child),
        name: childOf(name, child),
        relative: childOf(relative, child),
      };
      await pack(controller, below, counter);
    }
  } else if (found.isSymbolicLink()) {
    await controller.add({ ...header, type: "symlink", linkname: await readlink(path) }).close();
  } else if (found.isFile()) {
    const body = controller.add({ ...header, type: "file", size: found.size }).getWriter();
    // If the file grows meanwhile, copy only its size at the start.
    const end = found.size - 1;
    const chunks = found.size === 0 ? [] : createReadStream(path, { end });
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      await body.write(chunk);
      counter.addBytes(relative, chunk.length);
    }
    await body.close();
    counter.addFile(relative);
  } else {
    counter.skip({ path: relative, type: typeOf(found) });
  }
}

function typeOf(found: Awaited<ReturnType<typeof lstat>>): string {
  if (found.isFIFO()) return "fifo";
  if (found.isSocket()) return "socket";
  return found.isBlockDevice() ? "block-device" : "character-device";
}
