/** The length of helm's output that is kept, from its end, where the error is. */
const keptText = 16 * 1024;

/** The properties of a {@link HelmError}. */
export interface HelmFailure {
  /** "upgrade", "install", "dry run", … */
  readonly operation: string;
  /** "namespace/name"; undefined for an operation without a release. */
  readonly release?: string | undefined;
  /** undefined when a signal ended helm, or it did not run. */
  readonly exitCode?: number | undefined;
  /** helm's whole standard error. */
  readonly stderr: string;
  /** Default: derived from `stderr`. */
  readonly kind?: HelmErrorKind;
  readonly cause?: unknown;
}

/**
 * helm failed. The message is helm's own, with the template and its line, and what `fail` and `required` say.
 */
export class HelmError extends Error {
  override readonly name = "HelmError";
  readonly operation: string;
  readonly exitCode: number | undefined;
  /** The last 16 KiB of standard error. */
  readonly stderr: string;
  readonly kind: HelmErrorKind;

  constructor({ operation, release, exitCode, stderr, kind, cause }: HelmFailure) {
    const error = errorOf(stderr);
    const of = release === undefined ? "" : ` of ${release}`;
    super(`helm ${operation}${of}: ${error}`, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.exitCode = exitCode;
    this.stderr = stderr.slice(-keptText);
    this.kind = kind ?? kindOf(error);
    // Another program failed, so this one's stack would not help a reader of the log.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Returns the error without "Error: UPGRADE FAILED: ", and without the log lines and warnings before it. */
function errorOf(stderr: string): string {
  const lines = stderr.slice(-keptText).split("\n");
  const start = lines.findIndex((line) => line.startsWith("Error: "));
  const text = (start === -1 ? lines : lines.slice(start)).join("\n").trim();
  return (
    text.replace(/^Error: /, "").replace(/^(INSTALLATION|UPGRADE) FAILED: /, "") || "it printed no message"
  );
}

/** What kind of failure it was, as far as callers may react differently. */
export type HelmErrorKind =
  /** A template failed, because of the chart or its values. Nothing was written. */
  | "render"
  /** The chart's values.schema.json does not allow the values. Nothing was written. */
  | "schema"
  /** The chart is missing, invalid, or lacks a dependency. Nothing was written. */
  | "chart"
  /** A kind that the server does not serve: its CustomResourceDefinition is missing. */
  | "unknown-kind"
  /** The release is pending: another operation is running, or was interrupted. */
  | "pending"
  /** A release of that name exists already. */
  | "exists"
  /** There is no release of that name, or no such revision. */
  | "not-found"
  /** An object exists that belongs to another owner, such as another release. */
  | "ownership"
  /** The API server cannot be reached, or rejects the credentials. */
  | "unreachable"
  /** The API server forbids it: an RBAC rule is missing. */
  | "forbidden"
  /** Any other rejection by the API server, or a hook that failed. */
  | "cluster"
  /** Its AbortSignal or `dispose` stopped it. */
  | "cancelled"
  /** helm could not be started, or has an unsupported version. */
  | "not-started";

/** In the words of helm 3 and 4. The first match counts. */
const words: readonly (readonly [HelmErrorKind, RegExp])[] = [
  ["schema", /^values don't meet the specifications of the schema/],
  ["render", /^execution error at \(/],
  ["render", /^YAML parse error on /],
  ["render", /^parse error at \(/],
  // Helm 3: "template: chart/templates/x.yaml:1:2: executing …". Helm 4: only the place, then a newline.
  ["render", /^template: \S+:\d+/],
  ["render", /^\S+:\d+(:\d+)?\n/],
  ["render", /^(manifest|MANIFEST)[- ]\d+: /],
  ["render", /error converting YAML to JSON|mapping key .* already defined/],
  [
    "render",
    /^unable to build kubernetes objects from (new )?release manifest: error (validating|parsing|when)/,
  ],
  ["chart", /^path ".*" not found|Chart\.yaml file is missing|checking for chart dependencies/],
  ["chart", /^chart requires kubeVersion|^validation: chart\.metadata|^cannot load |chart\.metadata\./],
  [
    "chart",
    /is not a chart|file does not appear to be a gzipped archive|^library charts are not installable/,
  ],
  ["unknown-kind", /no matches for kind /],
  ["pending", /^another operation \(install\/upgrade\/rollback\) is in progress/],
  ["exists", /cannot re-?use a name that is still in use|release: already exists/],
  ["not-found", /has no deployed releases|release: not found|^release has no \d+ version/],
  ["ownership", /invalid ownership metadata/],
  ["unreachable", /cluster unreachable/i],
  ["forbidden", / is forbidden: /],
  ["cancelled", /^context canceled$/],
];

/** @param message helm's error, without what comes before it */
function kindOf(message: string): HelmErrorKind {
  return words.find(([, pattern]) => pattern.test(message))?.[0] ?? "cluster";
}
