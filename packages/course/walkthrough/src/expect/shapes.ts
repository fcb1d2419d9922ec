import { isLikeCount, isLikeEventAge } from "./magnitude.ts";

/**
 * A kind of value that differs from run to run: how a sample of it looks on a page, and which values it
 * matches. Add new shapes to `shapes` below. The first shape that matches wins. `sample` is searched at word
 * boundaries of an expected line. `$1` in `matches` is the first group of the sample, taken literally.
 *
 * `binds`:
 *
 * - `object`: one sample is one object, for the rest of the page.
 * - `place`: the sample stands for the value that was printed last (addresses, nodes).
 * - Default: the value only has to have the shape.
 */
export interface Shape {
  readonly name: string;
  readonly sample: string;
  readonly matches: string;
  readonly binds?: "object" | "place";
  /** Reports whether a sample accepts a value that has the shape. Default: all. */
  readonly accepts?: (sample: string, value: string, unhurried?: boolean) => boolean;
}

/**
 * The alphabet of generated names, without vowels and look-alikes (apimachinery's `rand.SafeEncodeString`).
 */
const safe = "[bcdfghjklmnpqrstvwxz2456789]";
const mixed = `(?=${safe}*[0-9])(?=${safe}*[a-z])`;
const prefix = "([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)";
const duration = "(?:\\d+(?:\\.\\d+)?(?:ms|µs|us|ns|y|d|h|m|s))+";
const ipv4 = "(?:\\d{1,3}\\.){3}\\d{1,3}";
const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const weekday = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const clock = "\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?";
const zone = "(?:Z|[+-]\\d{2}:?\\d{2})";
const hex = "[0-9a-f]";

export const shapes: readonly Shape[] = [
  {
    name: "Pod of a Deployment",
    sample: `${prefix}-(?=${safe}*[0-9])${safe}{6,10}-${safe}{5}`,
    matches: `$1-${safe}{4,10}-${safe}{5}`,
    binds: "object",
  },
  {
    name: "ReplicaSet",
    sample: `${prefix}-${mixed}${safe}{8,10}`,
    matches: `$1-${safe}{4,10}`,
    binds: "object",
  },
  {
    name: "generated name",
    sample: `${prefix}-${mixed}${safe}{5}`,
    matches: `$1-${safe}{5}`,
    binds: "object",
  },
  {
    name: "UID",
    sample: `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`,
    matches: `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`,
    binds: "object",
  },
  {
    name: "resource version",
    sample: `((?:"?resourceVersion"?:\\s*"?|resourceVersion=))\\d+`,
    matches: "$1\\d+",
  },
  {
    name: "container or image id",
    sample: `((?:containerd://|docker://|operator-path://|sha256:)*)${hex}{64}`,
    matches: `(?:containerd://|docker://|operator-path://|cri-o://|sha256:)*${hex}{64}`,
  },
  { name: "short container id", sample: `(?=${hex}*[0-9])(?=${hex}*[a-f])${hex}{12}`, matches: `${hex}{12}` },
  {
    name: "image size",
    sample: "(Image size: )\\d+( bytes)",
    matches: "$1\\d+ bytes",
    accepts: (sample, value) => isLikeCount(bytesIn(sample), bytesIn(value)),
  },
  {
    name: "RFC 3339 time",
    sample: `\\d{4}-\\d{2}-\\d{2}[T ]${clock}(?: ?${zone})?`,
    matches: `\\d{4}-\\d{2}-\\d{2}[T ]${clock}(?: ?${zone})?`,
  },
  {
    name: "time of describe",
    sample: `${weekday}, \\d{2} ${month} \\d{4} ${clock} ${zone}`,
    matches: `${weekday}, \\d{2} ${month} \\d{4} ${clock} ${zone}`,
  },
  {
    name: "time of helm",
    sample: `${weekday} ${month} +\\d{1,2} ${clock} \\d{4}`,
    matches: `${weekday} ${month} +\\d{1,2} ${clock} \\d{4}`,
  },
  { name: "klog header", sample: `([IWEF])\\d{4} ${clock} +\\d+`, matches: `$1\\d{4} ${clock} +\\d+` },
  { name: "time of day", sample: clock, matches: clock },
  { name: "epoch milliseconds", sample: "1[5-9]\\d{11}", matches: "\\d{13}" },
  {
    name: "loopback port",
    sample: "(127\\.0\\.0\\.1|localhost|\\[::1\\]):[1-9]\\d{4}",
    matches: "$1:\\d{2,5}",
    binds: "place",
  },
  { name: "IP address", sample: ipv4, matches: ipv4, binds: "place" },
  {
    name: "node",
    sample: "[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?-(?:control-plane|worker)\\d*",
    matches: "[a-z0-9][a-z0-9.-]*",
    binds: "place",
  },
  { name: "node port", sample: "(\\d{1,5}):3[0-2]\\d{3}(/(?:TCP|UDP))", matches: "$1:3[0-2]\\d{3}$2" },
  {
    name: "age of an Event",
    sample: `${duration} \\(x\\d+ over ${duration}\\)`,
    matches: `${duration}(?: \\(x\\d+ over ${duration}\\))?`,
    accepts: isLikeEventAge,
  },
  {
    name: "duration",
    sample: duration,
    matches: `${duration}(?: \\(x\\d+ over ${duration}\\))?`,
    accepts: isLikeEventAge,
  },
  { name: "background job", sample: "(\\[\\d+\\]) \\d{2,7}", matches: "$1 \\d+" },
];

function bytesIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}

/** A column of a table whose cells match by the meaning of the column, not by the look of the sample. */
export interface Column {
  readonly sample: string;
  readonly matches: string;
  /** If sample and value both have this shape, the sample binds as a `place`. Default: it does not bind. */
  readonly binds?: string;
}

export const columns: Readonly<Record<string, Column>> = {
  NODE: { sample: "(?!<none>)\\S+", matches: "(?!<none>)\\S+" },
  "EXTERNAL-IP": {
    sample: `<pending>|${ipv4}|localhost`,
    matches: `<pending>|${ipv4}|localhost`,
    binds: `${ipv4}|localhost`,
  },
  "INTERNAL-IP": { sample: ipv4, matches: ipv4, binds: ipv4 },
  "KERNEL-VERSION": { sample: "\\S+", matches: ".+" },
  "OS-IMAGE": { sample: ".+", matches: ".+" },
  "CONTAINER-RUNTIME": { sample: "\\S+", matches: "\\S+" },
  PID: { sample: "(?!1$)\\d+", matches: "(?!1$)\\d+" },
  TIME: { sample: "\\d+:\\d{2}(?::\\d{2})?", matches: "\\d+:\\d{2}(?::\\d{2})?" },
};
