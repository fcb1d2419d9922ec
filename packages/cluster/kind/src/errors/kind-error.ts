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
  /** What came to nothing, in words: `cluster dev was not created`. */
  readonly what: string;
  /** Why not, in words. */
  readonly cause: string;
  /** What a person does about it: a sentence, with commands where there are some. */
  readonly fix: string;
  /** The command line that failed, where one was run. */
  readonly command?: string;
  /** The last lines that it wrote. */
  readonly output?: string;
  /** The line that told why: of the output, or of a node's log. */
  readonly evidence?: string;
}

/**
 * A failure of kind, of the container engine below it, or of what they were given. `message` is the whole of it, as a
 * command line shows it after `error: `: what failed, the cause, the way out.
 */
export class KindError extends Error {
  override readonly name = "KindError";
  readonly problem: KindProblem;
  readonly what: string;
  /** Why, in words, without the command's own output. */
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

/** For what an AbortSignal has ended. */
export function aborted(what: string): KindError {
  return new KindError({
    problem: "aborted",
    what,
    cause: "it was interrupted",
    fix: "The same command once more begins anew.",
  });
}

/** The command and its words, indented, where there are some: all of a few, of many the one that told why. */
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
