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
  /**
   * Whether it, or a subchart, has a crds/ folder with manifests: helm installs those once and never changes
   * them.
   */
  readonly crds: boolean;
}

/** A file of a chart, as helm stores it in a release: without a byte order mark. */
export interface ChartFile {
  /** Path from the chart's folder, with slashes. */
  readonly name: string;
  readonly data: Buffer;
}
