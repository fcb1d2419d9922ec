/** How `copyToPod` and `copyFromPod` are cancelled and observed. */
export interface CopyOptions {
  /** Ends the copy. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called as bytes of files arrive or are sent, and at the end of each file. */
  onProgress?: (progress: CopyProgress) => void;
}

/** How far a copy is. */
export interface CopyProgress {
  /** The file, relative to the source: "config/settings.json". "" when the source is a file. */
  readonly path: string;
  /** Files copied so far. */
  readonly files: number;
  /** Bytes of files copied so far, without what the archive adds. */
  readonly bytes: number;
}

/** What a copy has transferred and what it has skipped. */
export interface CopyResult {
  readonly files: number;
  readonly bytes: number;
  /** Entries that are neither a file nor a folder. */
  readonly skipped: readonly SkippedEntry[];
}

/** A link or special file that a copy has skipped, as kubectl does. */
export interface SkippedEntry {
  /** Relative to the source. */
  readonly path: string;
  /** "symlink", "fifo", "character-device", "block-device", "socket". */
  readonly type: string;
  /** The target of a symlink. */
  readonly link?: string;
}

/** Counts what is copied, and reports it. */
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

/** A path relative to the source, whatever the system's separator. The source itself is "". */
export const childOf = (parent: string, name: string): string => (parent === "" ? name : `${parent}/${name}`);

/**
 * Why a copy failed:
 *
 * - `ModuleMissing`: the npm package modern-tar is not installed
 * - `TarMissing`: the container has no `tar`
 * - `TarFailed`: `tar` in the container exited with another code than 0
 * - `InvalidArchive`: the container sent no whole archive of what was asked for
 * - `UnsafeEntry`: the container sent an entry that leads out of the target
 * - `Conflict`: the target has a folder where the source has a file, or the other way round
 */
export type CopyErrorReason =
  | "ModuleMissing"
  | "TarMissing"
  | "TarFailed"
  | "InvalidArchive"
  | "UnsafeEntry"
  | "Conflict";

/** A copy that failed for another reason than the connection, the server or the local file system. */
export class CopyError extends Error {
  override readonly name: string = "CopyError";
  readonly reason: CopyErrorReason;

  constructor(reason: CopyErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
