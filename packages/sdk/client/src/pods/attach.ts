import { ApiError } from "../errors.ts";
import type { Transport } from "../transport.ts";
import { type ByteSink, type ByteSource, toReadable, toWriter } from "./byte-streams.ts";
import { type PodReference, podPath } from "./pod-reference.ts";
import { runRemoteCommand, type TerminalSize } from "./remote-command.ts";

export interface AttachOptions {
  /** The container's standard input, for a container with `stdin: true`. Destroyed when the container exits first. */
  stdin?: ByteSource;
  /** Receives standard output, and is not ended. Default: not read. */
  stdout?: ByteSink;
  /** Receives standard error, and is not ended. Default: not read. A container with `tty: true` has none. */
  stderr?: ByteSink;
  /** Set it to the container's `tty`. Default false. */
  tty?: boolean;
  /** Sizes of the terminal, as they change. */
  resize?: AsyncIterable<TerminalSize>;
  /** Detaches; the container goes on. */
  signal?: AbortSignal;
}

/**
 * Connects to the main process of a container, as `kubectl attach`, until the process exits. Give at least one stream.
 * Earlier output is not replayed; use `logs` for it. The Pod's status has the exit code.
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
