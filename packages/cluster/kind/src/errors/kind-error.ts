/** What went wrong, for programs; the words are in the error's `cause` and `fix`. */
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
  /** What was wanted, in words: `cluster dev was not created`. */
  readonly what: string;
  /** Why not, in words. */
  readonly cause: string;
  /** What a person does about it: a sentence, with commands where there are some. */
  readonly fix: string;
  /** The command line that failed, where one was run. */
  readonly command?: string;
  /** The last lines that it wrote. */
  readonly output?: string;
}

/**
 * A failure of kind, of the container engine below it, or of what they were given. `message` is the whole of it, as a
 * command line shows it after `error: `: what failed, the cause, the way out.
 */
export class KindError extends Error {
  override readonly name = "KindError";
  readonly problem: KindProblem;
  /** Why, in words, without the command's own output. */
  override readonly cause: string;
  readonly fix: string;
  readonly command: string | undefined;
  readonly output: string | undefined;

  constructor({ problem, what, cause, fix, command, output }: KindErrorParts) {
    super(`${what}: ${cause}\n${fix}`);
    this.problem = problem;
    this.cause = cause;
    this.fix = fix;
    this.command = command;
    this.output = output;
  }
}
