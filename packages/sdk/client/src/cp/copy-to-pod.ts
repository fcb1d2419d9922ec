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
 * Copies a local file or folder into a container, as `kubectl cp LOCAL POD:PATH`. Runs `tar` there, and for a folder first
 * `test`.
 *
 * The target is the path of the copy itself, as with Node's `fs.cp`: if the target is a folder, the source's files go directly
 * into it, not into a subfolder. The target's parent must exist. Modes are kept. An existing target folder keeps its own mode
 * if the container has `test`; existing folders below it get the source's. Owner and time are those of the process that runs
 * `tar`. Symlinks are copied as symlinks, except that a source that is one is followed. Sockets, pipes and devices are skipped.
 *
 * Does not promise that a copy that fails leaves nothing behind in the container: `tar` may have written a part.
 *
 * @param source local path
 * @param target path in the container, relative to its working directory
 * @returns how much was copied, and what was skipped
 * @throws CopyError when modern-tar or the container's tar is missing, or tar fails
 * @throws the error of the file system or of `exec`; the signal's reason; UsageError for a target without a name
 */
export async function copyToPod(
  client: Transport,
  pod: PodReference,
  source: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopyResult> {
  const asked = containerPath(target);
  // A missing source is reported before anything is sent.
  const isFolder = (await stat(source)).isDirectory();
  const { createTarPacker } = await loadModernTar();
  const inside = posix.join(asked.folder, asked.name);
  const isMerge = isFolder && (await hasFolder(client, pod, inside, signal ? { signal } : {}));
  // GNU tar gives the mode of a folder's own entry to an existing folder, and replaces a symlink to a folder. kubectl does not
  // send that entry either.
  const { folder, name } = isMerge ? { folder: inside, name: "" } : asked;
  const { readable, controller } = createTarPacker();
  const counter = createCounter(onProgress);
  let isPacked = false;
  const packing = pack(controller, { path: source, name, relative: "", follow: true }, counter)
    .then(() => controller.finalize())
    .then(
      () => {
        isPacked = true;
      },
      // exec rejects with this error, as that of its standard input.
      (error: unknown) => controller.error(error),
    );
  await runTar(client, pod, ["-xpmf", "-", "-C", folder], { stdin: readable, ...(signal && { signal }) });
  await packing;
  if (!isPacked) {
    throw new CopyError("TarFailed", `tar in ${placeOf(pod)} ended before it had read the whole archive`);
  }
  return counter.result();
}

interface LocalEntry {
  readonly path: string;
  /** In the archive. A folder without a name gets no entry of its own. */
  readonly name: string;
  /** To the source. */
  readonly relative: string;
  readonly follow?: boolean;
}

async function pack(controller: TarPackController, entry: LocalEntry, counter: Counter): Promise<void> {
  const { path, name, relative } = entry;
  const found = await (entry.follow ? stat : lstat)(path);
  // Extracted by root, an archive would give the files to the local user's number.
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
    // A file that grows meanwhile is copied as long as it was.
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
