import { type HelmErrorKind, kindOf } from "./error-kind.ts";

/** So much of what helm says is kept, from its end, where the error is. */
const keptText = 16 * 1024;

/** What a {@link HelmError} is made of. */
export interface HelmFailure {
  /** "upgrade", "install", "dry run", … */
  readonly operation: string;
  /** "namespace/name"; undefined for what concerns none. */
  readonly release?: string | undefined;
  /** undefined when helm was ended by a signal, or has not run. */
  readonly exitCode?: number | undefined;
  /** All that helm has said on standard error. */
  readonly stderr: string;
  /** Default: what `stderr` tells. */
  readonly kind?: HelmErrorKind;
  readonly cause?: unknown;
}

/**
 * Helm did not do what it was asked. The message is helm's own, with the template and its line, and what `fail` and
 * `required` say, as they stand.
 */
export class HelmError extends Error {
  override readonly name = "HelmError";
  readonly operation: string;
  readonly exitCode: number | undefined;
  /** The last 16 KiB. */
  readonly stderr: string;
  readonly kind: HelmErrorKind;

  constructor({ operation, release, exitCode, stderr, kind, cause }: HelmFailure) {
    const said = errorOf(stderr);
    const of = release === undefined ? "" : ` of ${release}`;
    super(`helm ${operation}${of}: ${said}`, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.exitCode = exitCode;
    this.stderr = stderr.slice(-keptText);
    this.kind = kind ?? kindOf(said);
    // What failed is another program: where this one stood is of no use to who reads it in a log.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** "Error: UPGRADE FAILED: …" without what it always says, and without the log lines and warnings before it. */
function errorOf(stderr: string): string {
  const lines = stderr.slice(-keptText).split("\n");
  const start = lines.findIndex((line) => line.startsWith("Error: "));
  const text = (start === -1 ? lines : lines.slice(start)).join("\n").trim();
  return text.replace(/^Error: /, "").replace(/^(INSTALLATION|UPGRADE) FAILED: /, "") || "it said nothing";
}
