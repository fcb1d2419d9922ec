import { ApiError } from "../errors.ts";
import type { Transport } from "../transport.ts";
import { type ByteSink, type ByteSource, toReadable, toWriter } from "./byte-streams.ts";
import { type PodReference, podPath } from "./pod-reference.ts";
import { runRemoteCommand, type TerminalSize } from "./remote-command.ts";

/** Configures `attach`. */
export interface AttachOptions {
  /**
   * The container's standard input. The container needs `stdin: true`. If the container exits first, the
   * source is destroyed.
   */
  stdin?: ByteSource;
  /** Receives standard output, and stays open at the end. Default: standard output is not read. */
  stdout?: ByteSink;
  /**
   * Receives standard error, and stays open at the end. Default: standard error is not read. A container with
   * `tty: true` has no standard error.
   */
  stderr?: ByteSink;
  /** Must equal the container's `tty`. Default false. */
  tty?: boolean;
  /** Yields the size of the terminal whenever it changes. */
  resize?: AsyncIterable<TerminalSize>;
  /** Detaches when it aborts. The container continues to run. */
  signal?: AbortSignal;
}

/**
 * Connects to the main process of a container, like `kubectl attach`, until the process exits. Pass at least
 * one stream. Does not replay earlier output; use `logs` for that. The exit code is in the Pod's status.
 *
 * @throws ApiError when the server refuses
 * @throws RequestError when the connection breaks
 * @throws the signal's reason; the error of one of the streams
 */
export async function attach(client: Transport, pod: PodReference, options: AttachOptions): Promise<void> {
  const { stdin, stdout, stderr, tty = false, resize, signal } = options;
  const path = podPath(pod, "attach");
  const { status, connection } = await runRemoteCommand(
    client,
    {
      ...{ path, signal },
      query: {
        container: pod.container,
        ...{
          stdin: stdin !== undefined,
          stdout: stdout !== undefined,
          stderr: !tty && stderr !== undefined,
          tty,
        },
      },
    },
    {
      stdin: stdin === undefined ? undefined : toReadable(stdin),
      ...{ stdout: stdout && toWriter(stdout), stderr: stderr && toWriter(stderr), resize },
    },
  );
  if (status.status !== "Success") throw new ApiError(status, undefined, undefined, connection.request);
}
