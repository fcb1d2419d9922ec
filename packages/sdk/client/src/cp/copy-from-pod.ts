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
 * Copies a file or folder of a container to this machine, as `kubectl cp POD:PATH LOCAL`. Runs `tar` there.
 *
 * The target is the path of the copy itself, as with Node's `fs.cp`: if the target is a folder, the source's files go directly
 * into it, not into a subfolder. The target's parent must exist. Existing files are replaced. Permissions are kept, without
 * set-user-ID and its like. Symlinks, pipes and devices are skipped; a hard link is copied as a file of its own.
 *
 * Everything is written to a temporary folder beside or in the target, and moved into place when the archive was whole and
 * tar's exit code was 0. A copy that fails before that changes nothing. Files are moved one by one: if a move fails, for
 * example in a read-only folder of the target, the files that were moved before stay. The container may be hostile: an entry
 * that leads out of the target ends the copy. The size of what it sends has no limit but `signal`.
 *
 * @param source path in the container, relative to its working directory
 * @param target local path
 * @returns how much was copied, and what was skipped
 * @throws CopyError: see its reasons
 * @throws the error of the file system or of `exec`; the signal's reason; UsageError for a source without a name
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
    // A container whose archive is refused may send for ever.
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
    // The extraction reports what is wrong with the end of the archive.
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

/** What is copied, in the temporary folder. */
const copied = "copy";

async function openStaging(target: string): Promise<{ root: string; staging: string }> {
  const root = await realpath(target).catch(() => resolve(target));
  const isFolder = (await find(root))?.isDirectory() ?? false;
  // In the target's own file system, where a rename is one step.
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
  /** Of the file or folder that was asked for. */
  readonly name: string;
  readonly staging: string;
  readonly counter: Counter;
}

/**
 * Writes files and folders, and nothing else: where no link is made, no entry can be led through one.
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
      // Of a file that came before: tar names the same inode twice.
      const first = segmentsBelow(name, header.linkname ?? "");
      const firstMode = modes.get(first.join("/"));
      if (firstMode === undefined) {
        throw new CopyError(
          "InvalidArchive",
          `the container sent ${JSON.stringify(relative)} as a link to ${JSON.stringify(header.linkname)}, which it had not sent`,
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

/** What the decoder yields. Its errors become CopyErrors. */
async function* valid<T>(decoded: ReadableStream<T>): AsyncGenerator<T, void> {
  try {
    yield* decoded;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CopyError("InvalidArchive", `the container sent no valid archive: ${message}`, { cause });
  }
}

/**
 * The segments of an entry's path below what was asked for.
 *
 * @throws CopyError when the entry is elsewhere, or would be written elsewhere
 */
function segmentsBelow(name: string, path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  // On Windows, these lead elsewhere as well.
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

/** @throws CopyError before anything is moved, when a folder would replace a file or a file a folder */
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
      const [own, there] = isFolder ? ["a folder", "not a folder"] : ["a file", "a folder"];
      const advice = "nothing was copied: move it away, or choose another target";
      throw new CopyError("Conflict", `the source has ${own} where ${target} is ${there}: ${advice}`);
    }
  }
  await plan("");
  for (const move of moves) await rename(move.from, move.to);
  // The deepest first, and after all is moved: a folder may be read-only.
  for (const [relative, mode] of [...modes].reverse()) {
    if (!merged.has(relative)) await chmod(join(to, relative), mode);
  }
}
