import type { Transport } from "../transport.ts";
import { type PodReference, podPath } from "./pod-reference.ts";

/** core/v1 PodLogOptions, without `stream` and `insecureSkipTLSVerifyBackend`. */
export interface LogOptions {
  /** Streams until the container exits. Default false. */
  follow?: boolean;
  /** Reads the log of the previous instance of the container. Default false. */
  previous?: boolean;
  /** Begins each line with the time at which it was written. Default false. */
  timestamps?: boolean;
  /** Lines from the end. Default: all that the node has. */
  tailLines?: number;
  sinceSeconds?: number;
  /** RFC 3339. The server rejects it together with `sinceSeconds`. */
  sinceTime?: string;
  /** Stops after this many bytes. */
  limitBytes?: number;
  signal?: AbortSignal;
}

/** UTF-16 units. A longer line, such as a progress bar that never ends, comes in parts. */
const longestLine = 1024 * 1024;

/**
 * The lines of a container's log, without their newlines, as `kubectl logs`. Yields an unterminated last
 * line as well. Sends the request when iteration starts, and closes the connection when the loop ends early.
 *
 * Does not reconnect. A followed log ends when the container exits or the node loses the file. Silence is no error. When the
 * other end of the connection has vanished, TCP keep-alive finds out: after 30 s of silence the kernel probes it ten times,
 * once a second. It cannot see past a proxy.
 *
 * @throws ApiError when the server refuses: 400 while the container has not started
 * @throws RequestError when the connection breaks; its `code` is ETIMEDOUT when the other end has vanished
 * @throws the signal's reason
 */
export async function* logs(
  client: Transport,
  pod: PodReference,
  options: LogOptions = {},
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of logBytes(client, pod, options)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > longestLine) {
      yield rest;
      rest = "";
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** The bytes of a container's log as they come. Otherwise behaves like `logs`. */
export async function* logBytes(
  client: Transport,
  pod: PodReference,
  options: LogOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const { signal, ...query } = options;
  const path = podPath(pod, "log");
  const headers = { accept: "*/*" };
  const { body } = await client.stream({
    ...{ method: "GET", path, headers, signal },
    query: { container: pod.container, ...query },
  });
  yield* body;
}
