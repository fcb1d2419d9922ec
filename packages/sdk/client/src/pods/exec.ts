import { ApiError, UsageError } from "../errors.ts";
import type { Status } from "../generated/kubernetes-types.ts";
import type { Transport } from "../transport.ts";
import { type ByteSink, type ByteSource, createTextBuffer, toReadable, toWriter } from "./byte-streams.ts";
import { type PodReference, podPath } from "./pod-reference.ts";
import { runRemoteCommand, type TerminalSize } from "./remote-command.ts";

export interface ExecOptions {
  /**
   * The command's standard input. The command sees its end. When the command exits first, the source is destroyed.
   * Default: none.
   */
  stdin?: ByteSource;
  /** Receives standard output, and is not ended. Default: the result has it as text. */
  stdout?: ByteSink;
  /** Receives standard error, and is not ended. Default: the result has it as text. */
  stderr?: ByteSink;
  /** Runs the command in a terminal, whose whole output is `stdout`. Default false. */
  tty?: boolean;
  /** Sizes of the terminal, as they change. */
  resize?: AsyncIterable<TerminalSize>;
  /** Bytes of each output that is collected as text. Default 16 MiB; more is a RangeError. */
  maxBuffer?: number;
  /** Closes the connection. The container runtime decides what becomes of the command. */
  signal?: AbortSignal;
}

export interface ExecResult {
  readonly exitCode: number;
  /** Standard output as UTF-8, "" when `stdout` was given. */
  readonly stdout: string;
  /** Standard error as UTF-8, "" when `stderr` was given. */
  readonly stderr: string;
}

/**
 * Runs a command in a container, as `kubectl exec`. No shell is involved: the first word is the program.
 *
 * Output is read as fast as the sinks take it, and the command waits for slow ones.
 *
 * @returns the exit code and the collected output. A non-zero exit code does not throw.
 * @throws ApiError when the server refuses, or the command cannot be started
 * @throws RequestError when the connection breaks, or ends without an exit code
 * @throws the signal's reason; the error of one of the streams; RangeError when the output exceeds `maxBuffer`
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
