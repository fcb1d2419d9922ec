import type { JsonObject } from "../json.ts";

/** A chart that has been read and checked. helm reads it again, from `path`. */
export interface Chart {
  /** Absolute: a folder, or an archive as `helm package` makes it. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  /** SHA-256 over the names and bytes of its files, in hexadecimal; of a folder and of its archive the same. */
  readonly digest: string;
  /** Its own values.yaml; subcharts' defaults are helm's business. */
  readonly values: JsonObject;
  /** Whether it, or a chart in it, has a crds/ folder with manifests: helm installs those once and never changes them. */
  readonly crds: boolean;
}

/** A file of a chart, as helm keeps it in a release: without a byte order mark. */
export interface ChartFile {
  /** From the chart's folder, with slashes. */
  readonly name: string;
  readonly data: Buffer;
}
