import type { Transport } from "../transport.ts";
import { type PodReference, podPath } from "./pod-reference.ts";

/** Configures `logs` (core/v1 PodLogOptions, without `stream` and `insecureSkipTLSVerifyBackend`). */
export interface LogOptions {
  /** Whether to stream until the container exits. Default false. */
  follow?: boolean;
  /** Whether to read the log of the previous instance of the container. Default false. */
  previous?: boolean;
  /** Whether each line starts with its time. Default false. */
  timestamps?: boolean;
  /** The number of lines from the end. Default: all lines that the node has. */
  tailLines?: number;
  sinceSeconds?: number;
  /** RFC 3339. The server rejects it together with `sinceSeconds`. */
  sinceTime?: string;
  /** Stops after this many bytes. */
  limitBytes?: number;
  signal?: AbortSignal;
}

/**
 * The longest line in UTF-16 code units. Longer lines, such as an endless progress bar, are yielded in parts.
 */
const longestLine = 1024 * 1024;

/**
 * Yields the lines of a container's log without their newlines, like `kubectl logs`. Also yields a last line
 * without a newline. Sends the request when the iteration starts, and closes the connection when the loop
 * ends early.
 *
 * Does not reconnect. A followed log ends when the container exits or the node loses the file. Silence is not
 * an error. TCP keep-alive detects a vanished server: after 30 s of silence the kernel sends ten probes, one
 * per second. It does not see past a proxy.
 *
 * @throws ApiError when the server refuses the request, such as 400 before the container has started
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

/** Yields the bytes of a container's log as they arrive. Otherwise like `logs`. */
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
