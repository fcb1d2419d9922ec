/** Configures `copyToPod` and `copyFromPod`. */
export interface CopyOptions {
  /** Cancels the copy. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called when bytes of a file are sent or received, and at the end of each file. */
  onProgress?: (progress: CopyProgress) => void;
}

/** The progress of a copy. */
export interface CopyProgress {
  /** The current file, relative to the source: "config/settings.json". "" if the source is a file. */
  readonly path: string;
  /** Files copied so far. */
  readonly files: number;
  /** Bytes of files copied so far, without the archive's own bytes. */
  readonly bytes: number;
}

/** The result of a copy. */
export interface CopyResult {
  readonly files: number;
  readonly bytes: number;
  /** Entries that are neither files nor folders. */
  readonly skipped: readonly SkippedEntry[];
}

/** A link or special file that a copy skipped, as kubectl does. */
export interface SkippedEntry {
  /** Relative to the source. */
  readonly path: string;
  /** "symlink", "fifo", "character-device", "block-device" or "socket". */
  readonly type: string;
  /** The target of a symlink. */
  readonly link?: string;
}

/** Counts copied files and bytes, and reports the progress. */
export function createCounter(onProgress: CopyOptions["onProgress"]) {
  let [files, bytes] = [0, 0];
  const skipped: SkippedEntry[] = [];
  return {
    addBytes(path: string, count: number): void {
      bytes += count;
      onProgress?.({ path, files, bytes });
    },
    addFile(path: string): void {
      files++;
      onProgress?.({ path, files, bytes });
    },
    skip: (entry: SkippedEntry) => void skipped.push(entry),
    result: (): CopyResult => ({ files, bytes, skipped }),
  };
}

export type Counter = ReturnType<typeof createCounter>;

/** Joins paths relative to the source, with "/" on every system. The source itself is "". */
export const childOf = (parent: string, name: string): string => (parent === "" ? name : `${parent}/${name}`);

/**
 * The reason why a copy failed:
 *
 * - `ModuleMissing`: the npm package modern-tar is not installed
 * - `TarMissing`: the container has no `tar`
 * - `TarFailed`: `tar` in the container exited with a code other than 0
 * - `InvalidArchive`: the container sent an archive that is invalid, incomplete, or lacks the source
 * - `UnsafeEntry`: the container sent an entry with a path outside the target
 * - `Conflict`: the target has a folder where the source has a file, or the other way round
 */
export type CopyErrorReason =
  | "ModuleMissing"
  | "TarMissing"
  | "TarFailed"
  | "InvalidArchive"
  | "UnsafeEntry"
  | "Conflict";

/** A copy failed, but not because of the connection, the server or the local file system. */
export class CopyError extends Error {
  override readonly name: string = "CopyError";
  readonly reason: CopyErrorReason;

  constructor(reason: CopyErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
