import { randomUUID } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { ParsedTarEntry } from "modern-tar";
import type { PodReference } from "../pods/pod-reference.ts";
import type { Transport } from "../transport.ts";
import { containerPath, loadModernTar, placeOf, runTar } from "./container-tar.ts";
import {
  CopyError,
  type CopyOptions,
  type CopyResult,
  type Counter,
  childOf,
  createCounter,
} from "./copy.ts";

/**
 * Copies a file or folder from a container to this machine, like `kubectl cp POD:PATH LOCAL`. Runs `tar` in
 * the container.
 *
 * The target is the path of the copy itself, as in Node's `fs.cp`: if the target is a folder, the source's
 * files go directly into it, not into a subfolder. The target's parent must exist. Existing files are
 * replaced. Permissions are kept, except set-user-ID, set-group-ID and sticky bits. Symlinks, pipes and
 * devices are skipped. A hard link is copied as a separate file.
 *
 * It writes everything to a temporary folder beside or in the target. When the archive is complete and tar
 * has exited with 0, it moves the files into place. A copy that fails before that changes nothing. Files are
 * moved one by one: if a move fails, for example in a read-only folder of the target, the files moved before
 * stay.
 *
 * The container may be hostile: an entry with a path outside the target ends the copy. The size is not
 * limited; use `signal`.
 *
 * @param source path in the container, relative to its working directory
 * @param target local path
 * @returns the number of copied files and bytes, and the skipped entries
 * @throws CopyError for one of its reasons
 * @throws the error of the file system or of `exec`; the signal's reason; UsageError for a source without a
 *   name
 */
export async function copyFromPod(
  client: Transport,
  pod: PodReference,
  source: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopyResult> {
  const path = containerPath(source);
  const { createTarDecoder } = await loadModernTar();
  const counter = createCounter(onProgress);
  const { root, staging } = await openStaging(target);
  try {
    const decoder = createTarDecoder({ strict: true });
    const stop = new AbortController();
    const extraction = extract(decoder.readable, { name: path.name, staging, counter });
    // A container may send for ever, so end `tar` as soon as its archive is rejected.
    extraction.catch((error: unknown) => stop.abort(error));
    try {
      await runTar(client, pod, ["-cf", "-", "-C", path.folder, `./${path.name}`], {
        stdout: decoder.writable,
        signal: AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
      });
    } catch (error) {
      // Report the first failure. The second is only its consequence.
      const reason = stop.signal.aborted && !signal?.aborted ? stop.signal.reason : error;
      await decoder.writable.abort(error).catch(() => {});
      await extraction.catch(() => {});
      throw reason;
    }
    // The extraction reports an invalid end of the archive.
    await decoder.writable.close().catch(() => {});
    const modes = await extraction;
    if (modes.size === 0) {
      const skipped = counter.result().skipped.find((entry) => entry.path === "");
      const link = skipped?.link === undefined ? "" : `: it is a symlink to ${skipped.link}`;
      throw new CopyError("InvalidArchive", `${placeOf(pod)} sent nothing of ${source}${link}`);
    }
    await moveIntoPlace(join(staging, copied), root, modes);
    return counter.result();
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The name of the copy in the temporary folder. */
const copied = "copy";

async function openStaging(target: string): Promise<{ root: string; staging: string }> {
  const root = await realpath(target).catch(() => resolve(target));
  const isFolder = (await find(root))?.isDirectory() ?? false;
  // In the target's own file system, so that a rename is atomic.
  const staging = join(isFolder ? root : dirname(root), `.${basename(root)}.${randomUUID()}`);
  await mkdir(staging, { mode: 0o700 });
  return { root, staging };
}

const find = (path: string) =>
  lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

interface Extraction {
  /** The name of the source. */
  readonly name: string;
  readonly staging: string;
  readonly counter: Counter;
}

/**
 * Writes only files and folders. It creates no links, so no entry can be written through a link.
 *
 * @returns permissions by path, relative to the source
 */
async function extract(
  entries: ReadableStream<ParsedTarEntry>,
  { name, staging, counter }: Extraction,
): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  const root = join(staging, copied);
  for await (const { header, body } of valid(entries)) {
    const segments = segmentsBelow(name, header.name);
    const relative = segments.join("/");
    const path = join(root, ...segments);
    const mode = (header.mode ?? 0o644) & 0o777;
    await mkdir(dirname(path), { recursive: true });
    if (header.type === "directory") {
      await mkdir(path, { recursive: true });
      modes.set(relative, mode);
    } else if (header.type === "file" || header.type === undefined) {
      await pipeline(
        valid(body as ReadableStream<Uint8Array>),
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            yield chunk;
            counter.addBytes(relative, chunk.length);
          }
        },
        createWriteStream(path, { flags: "wx", mode: 0o600 }),
      );
      counter.addFile(relative);
      modes.set(relative, mode);
    } else if (header.type === "link") {
      // A hard link to an earlier file: tar found the same inode twice.
      const first = segmentsBelow(name, header.linkname ?? "");
      const firstMode = modes.get(first.join("/"));
      if (firstMode === undefined) {
        throw new CopyError(
          "InvalidArchive",
          `the container sent ${JSON.stringify(relative)} as a link to ${JSON.stringify(header.linkname)}, but not that file itself`,
        );
      }
      await copyFile(join(root, ...first), path, constants.COPYFILE_EXCL);
      counter.addFile(relative);
      modes.set(relative, firstMode);
    } else {
      await body.cancel();
      const link = header.type === "symlink" && header.linkname ? { link: header.linkname } : {};
      counter.skip({ path: relative, type: header.type, ...link });
    }
  }
  return modes;
}

/** Yields the decoder's values, and turns its errors into CopyErrors. */
async function* valid<T>(decoded: ReadableStream<T>): AsyncGenerator<T, void> {
  try {
    yield* decoded;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CopyError("InvalidArchive", `the container sent an invalid archive: ${message}`, { cause });
  }
}

/**
 * Returns the segments of an entry's path below the source.
 *
 * @throws CopyError when the entry is outside the source, or would be written outside the target
 */
function segmentsBelow(name: string, path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  // On Windows, backslashes and colons can also lead outside.
  const unsafe = process.platform === "win32" ? /^\.\.$|[\\:\0]/ : /^\.\.$|\0/;
  const isBelow = name === "." || segments[0] === name;
  if (path.startsWith("/") || !isBelow || segments.some((segment) => unsafe.test(segment))) {
    throw new CopyError(
      "UnsafeEntry",
      `the container sent ${JSON.stringify(path)}, which is not below ${JSON.stringify(name)}: nothing was copied`,
    );
  }
  return name === "." ? segments : segments.slice(1);
}

/** @throws CopyError before it moves anything, if a folder would replace a file or a file a folder */
async function moveIntoPlace(from: string, to: string, modes: ReadonlyMap<string, number>): Promise<void> {
  const moves: { from: string; to: string; relative: string }[] = [];
  const merged = new Set<string>();
  async function plan(relative: string): Promise<void> {
    const [source, target] = [join(from, relative), join(to, relative)];
    const [isFolder, existing] = [(await lstat(source)).isDirectory(), await find(target)];
    if (!existing || !(isFolder || existing.isDirectory())) {
      moves.push({ from: source, to: target, relative });
    } else if (isFolder && existing.isDirectory()) {
      merged.add(relative);
      for (const child of await readdir(source)) await plan(childOf(relative, child));
    } else {
      const [sourceType, targetType] = isFolder ? ["a folder", "not a folder"] : ["a file", "a folder"];
      const advice = "nothing was copied: move it away, or choose another target";
      throw new CopyError(
        "Conflict",
        `the source has ${sourceType} where ${target} is ${targetType}: ${advice}`,
      );
    }
  }
  await plan("");
  for (const move of moves) await rename(move.from, move.to);
  // Deepest first, and after all moves, because a folder may become read-only.
  for (const [relative, mode] of [...modes].reverse()) {
    if (!merged.has(relative)) await chmod(join(to, relative), mode);
  }
}
