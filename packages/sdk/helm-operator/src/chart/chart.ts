import type { JsonObject } from "../json.ts";

/** A chart that was read and checked. helm reads it again, from `path`. */
export interface Chart {
  /** Absolute path of a folder, or of an archive that `helm package` made. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  /** SHA-256 of the names and bytes of its files, in hexadecimal. A folder and its archive have the same. */
  readonly digest: string;
  /** Its own values.yaml, without the defaults of subcharts. */
  readonly values: JsonObject;
  /** Whether it, or a subchart, has manifests in crds/: helm installs those once and never changes them. */
  readonly crds: boolean;
}

/** A file of a chart, as helm stores it in a release: without a byte order mark. */
export interface ChartFile {
  /** Path from the chart's folder, with slashes. */
  readonly name: string;
  readonly data: Buffer;
}

/** A chart is missing, invalid, or unsafe to read. The message names its path, the problem and the remedy. */
export class ChartError extends Error {
  override readonly name = "ChartError";
}

/** How large a chart may be, with all archives in it. Bytes are counted after decompression. */
export interface ChartLimits {
  /** Files and folders. Default 10,000. */
  readonly entries: number;
  /** Bytes of one file. Default 5 MiB, as in helm. */
  readonly fileBytes: number;
  /** Bytes of all files. Default 100 MiB, as in helm. */
  readonly totalBytes: number;
}

const mebibyte = 1024 * 1024;

const defaultLimits: ChartLimits = {
  entries: 10_000,
  fileBytes: 5 * mebibyte,
  totalBytes: 100 * mebibyte,
};

/** What is left of the limits while a chart is read. */
export interface Budget {
  readonly limits: ChartLimits;
  /** Counts a file or folder before it is read. @throws ChartError when it exceeds a limit */
  take(name: string, bytes: number): void;
}

/** Returns an unused budget. @param chart its path, for messages */
export function createBudget(chart: string, limits: Partial<ChartLimits> = {}): Budget {
  const all = { ...defaultLimits, ...limits };
  let entries = 0;
  let total = 0;
  return {
    limits: all,
    take(name, bytes) {
      entries++;
      total += bytes;
      if (entries > all.entries) {
        throw new ChartError(`${chart} contains more than ${all.entries} files and folders: is it a chart?`);
      }
      if (bytes > all.fileBytes) {
        throw new ChartError(
          `${chart}: ${name} has ${bytes} bytes, but a file of a chart may have at most ${all.fileBytes}: name it in .helmignore`,
        );
      }
      if (total > all.totalBytes) {
        throw new ChartError(`${chart} contains more than ${all.totalBytes} bytes, unpacked: is it a chart?`);
      }
    },
  };
}
