import { ApiError, UsageError } from "../errors.ts";
import type { Status } from "../generated/kubernetes-types.ts";
import type { Transport } from "../transport.ts";
import { type ByteSink, type ByteSource, createTextBuffer, toReadable, toWriter } from "./byte-streams.ts";
import { type PodReference, podPath } from "./pod-reference.ts";
import { runRemoteCommand, type TerminalSize } from "./remote-command.ts";

/** Configures `exec`. */
export interface ExecOptions {
  /**
   * The command's standard input, up to the end of the source. If the command exits first, the source is
   * destroyed. Default: no input.
   */
  stdin?: ByteSource;
  /** Receives standard output, and stays open at the end. Default: the result contains it as text. */
  stdout?: ByteSink;
  /** Receives standard error, and stays open at the end. Default: the result contains it as text. */
  stderr?: ByteSink;
  /** Whether to run the command in a terminal. All its output is `stdout` then. Default false. */
  tty?: boolean;
  /** Yields the size of the terminal whenever it changes. */
  resize?: AsyncIterable<TerminalSize>;
  /**
   * The maximum size of each output that is collected as text, in bytes. More throws RangeError. Default 16
   * MiB.
   */
  maxBuffer?: number;
  /** Closes the connection. The container runtime decides whether the command continues. */
  signal?: AbortSignal;
}

/** The result of `exec`. */
export interface ExecResult {
  readonly exitCode: number;
  /** Standard output as UTF-8, "" when `stdout` was given. */
  readonly stdout: string;
  /** Standard error as UTF-8, "" when `stderr` was given. */
  readonly stderr: string;
}

/**
 * Runs a command in a container, like `kubectl exec`. There is no shell: the first word is the program.
 *
 * It reads output only as fast as the sinks accept it. A slow sink makes the command wait.
 *
 * @returns the exit code and the collected output. A non-zero exit code does not throw.
 * @throws ApiError when the server refuses the request, or the command cannot be started
 * @throws RequestError when the connection breaks, or ends without an exit code
 * @throws the signal's reason; the error of one of the streams; RangeError when the output exceeds
 *   `maxBuffer`
 */
export async function exec(
  client: Transport,
  pod: PodReference,
  command: readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  if (command.length === 0) throw new UsageError("exec needs a command");
  const { stdin, tty = false, resize, signal, maxBuffer = 16 * 1024 * 1024 } = options;
  const path = podPath(pod, "exec");
  const collected = {
    stdout: createTextBuffer("stdout", maxBuffer),
    stderr: createTextBuffer("stderr", maxBuffer),
  };
  const { status, connection } = await runRemoteCommand(
    client,
    {
      ...{ path, signal },
      query: {
        ...{ container: pod.container, command },
        ...{ stdin: stdin !== undefined, stdout: true, stderr: !tty, tty },
      },
    },
    {
      stdin: stdin === undefined ? undefined : toReadable(stdin),
      stdout: options.stdout ? toWriter(options.stdout) : collected.stdout,
      stderr: options.stderr ? toWriter(options.stderr) : collected.stderr,
      resize,
    },
  );
  const exitCode = exitCodeOf(status);
  if (exitCode === undefined) throw new ApiError(status, undefined, undefined, connection.request);
  return { exitCode, stdout: collected.stdout.text(), stderr: collected.stderr.text() };
}

function exitCodeOf({ status, reason, details }: Status): number | undefined {
  if (status === "Success") return 0;
  if (reason !== "NonZeroExitCode") return undefined;
  const code = details?.causes?.find((cause) => cause.reason === "ExitCode")?.message;
  return code !== undefined && /^-?\d+$/.test(code) ? Number(code) : undefined;
}
