/** What went wrong, for programs. The error's `cause` and `fix` are for users. */
export type KindProblem =
  | "aborted"
  | "bad-config"
  | "cgroup-v1"
  | "cloud-provider"
  | "disk-full"
  | "engine-missing"
  | "engine-not-running"
  | "engine-permission"
  | "file-missing"
  | "image-missing"
  | "image-pull"
  | "inotify"
  | "kind-missing"
  | "name-exists"
  | "network"
  | "no-cluster"
  | "out-of-memory"
  | "port-taken"
  | "proxy"
  | "timeout"
  | "unhealthy"
  | "unknown"
  | "wrong-architecture";

export interface KindErrorParts {
  readonly problem: KindProblem;
  /** What failed, in words: `cluster dev was not created`. */
  readonly what: string;
  /** Why it failed, in words. */
  readonly cause: string;
  /** What the user should do: a sentence, with commands if possible. */
  readonly fix: string;
  /** The failed command line, if one was run. */
  readonly command?: string;
  /** The last lines of its output. */
  readonly output?: string;
  /** The line with the cause, from the output or a node's log. */
  readonly evidence?: string;
}

/**
 * A failure of kind, the container engine, or their input. `message` contains everything, as a command line
 * shows it after `error: `: what failed, the cause, and what to do.
 */
export class KindError extends Error {
  override readonly name = "KindError";
  readonly problem: KindProblem;
  readonly what: string;
  /** Why it failed, in words, without the command's own output. */
  override readonly cause: string;
  readonly fix: string;
  readonly command: string | undefined;
  readonly output: string | undefined;
  readonly evidence: string | undefined;

  constructor({ problem, what, cause, fix, command, output, evidence }: KindErrorParts) {
    super([`${what}: ${cause}`, ...quoted(command, output, evidence), fix].join("\n"));
    this.problem = problem;
    this.what = what;
    this.cause = cause;
    this.fix = fix;
    this.command = command;
    this.output = output;
    this.evidence = evidence;
  }
}

/** The error for an aborted operation. */
export function aborted(what: string): KindError {
  return new KindError({
    problem: "aborted",
    what,
    cause: "it was interrupted",
    fix: "Run the same command again to start over.",
  });
}

/** Returns the command and its output, indented. Of a long output, only the line with the cause. */
function quoted(command: string | undefined, output = "", evidence?: string): string[] {
  if (command === undefined) return [];
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.length <= 6 ? lines : evidence === undefined ? ["…", ...lines.slice(-6)] : ["…"];
  if (evidence !== undefined && !shown.some((line) => line.includes(evidence))) shown.push(evidence);
  return [
    `  $ ${command}`,
    ...shown.map((line) => `  ${line.length > 300 ? `${line.slice(0, 299)}…` : line}`),
  ];
}
