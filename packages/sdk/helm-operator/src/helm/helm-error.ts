import { type HelmErrorKind, kindOf } from "./error-kind.ts";

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
  /** All of helm's standard error. */
  readonly stderr: string;
  /** Default: derived from `stderr`. */
  readonly kind?: HelmErrorKind;
  readonly cause?: unknown;
}

/**
 * helm failed. The message is helm's own, with the template and its line, and the texts of `fail` and
 * `required` unchanged.
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

/**
 * Returns the error without its fixed words ("Error: UPGRADE FAILED: …"), and without log lines and warnings
 * before it.
 */
function errorOf(stderr: string): string {
  const lines = stderr.slice(-keptText).split("\n");
  const start = lines.findIndex((line) => line.startsWith("Error: "));
  const text = (start === -1 ? lines : lines.slice(start)).join("\n").trim();
  return text.replace(/^Error: /, "").replace(/^(INSTALLATION|UPGRADE) FAILED: /, "") || "it said nothing";
}
