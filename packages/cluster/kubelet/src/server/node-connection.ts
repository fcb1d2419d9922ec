import type { ContainerStreams, NodeConnection } from "@operator-path/apiserver";
import type { Clock, TimerHandle } from "@operator-path/client";
import type { PodNetwork } from "../network/pod-network.ts";
import { type ContainerSlot, isRunning } from "../pod/container-slot.ts";
import type { PodWorker } from "../pod/pod-worker.ts";
import { createBytePipe } from "../runtime/byte-pipe.ts";
import { randomId } from "../runtime/container.ts";
import type { Container } from "../runtime/contracts.ts";
import { StartError } from "../runtime/errors.ts";
import { containerStatus } from "../status/container-status.ts";
import { createOutbox } from "./outbox.ts";

/** Thrown when the node refuses a request. The API server responds with this HTTP code. */
export class NodeRequestError extends Error {
  override readonly name = "NodeRequestError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the connection that serves logs, exec, attach and port-forward in process, as a kubelet does on
 * port 10250.
 */
export function createNodeConnection(
  findWorker: (namespace: string, pod: string) => PodWorker | undefined,
  network: PodNetwork,
  clock: Clock,
): Omit<NodeConnection, "api"> {
  function slotOf(namespace: string, pod: string, container: string): ContainerSlot {
    const worker = findWorker(namespace, pod);
    if (!worker) throw new NodeRequestError(404, `pod "${pod}" does not exist`);
    const slot = worker.slot(container);
    if (!slot) throw new NodeRequestError(404, `container "${container}" not found in pod "${pod}"`);
    return slot;
  }
  function running(namespace: string, pod: string, name: string): Container {
    const slot = findWorker(namespace, pod)?.slot(name);
    const container = slot && isRunning(slot) ? slot.run?.container : undefined;
    if (!container) throw new Error(`unable to upgrade connection: container not found ("${name}")`);
    return container;
  }

  return {
    async *logs(request) {
      const slot = slotOf(request.namespace, request.pod, request.container);
      yield* logOf(slot, request.pod, request.previous ?? false).read(request);
    },
    async exec(request, streams) {
      const container = running(request.namespace, request.pod, request.container);
      const stdin = createBytePipe();
      if (!request.stdin) stdin.end();
      const out = createOutbox(streams);
      using sizes = createSizes(streams, request.tty ? clock : undefined);
      let spawned: Awaited<ReturnType<Container["spawn"]>>;
      try {
        spawned = await container.spawn({
          argv: request.command,
          tty: request.tty,
          stdin,
          onOutput: out.put,
        });
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        await sizes.first;
        const id = randomId(container.config.random);
        throw new Error(
          `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${error.message}: unknown`,
        );
      }
      const hangUp = () => {
        // The client has closed its terminal or its connection.
        spawned.process.signal("SIGHUP");
        spawned.process.signal("SIGKILL");
      };
      streams.signal.addEventListener("abort", hangUp, { once: true });
      if (streams.signal.aborted) hangUp();
      if (request.stdin) void pump(streams, stdin, true);
      sizes.follow(spawned.resize);
      const exitCode = await spawned.exited;
      streams.signal.removeEventListener("abort", hangUp);
      // The process has ended, so further input from the client is dropped.
      stdin.end();
      await Promise.all([out.flushed(), sizes.first]);
      return { exitCode };
    },
    async attach(request, streams) {
      const container = running(request.namespace, request.pod, request.container);
      const out = createOutbox(streams);
      const detach = container.onOutput(out.put);
      if (request.stdin && container.stdin) void pump(streams, container.stdin, container.config.stdinOnce);
      using sizes = createSizes(streams);
      sizes.follow(container.resize);
      await Promise.race([
        container.exited,
        new Promise<void>((resolve) => {
          if (streams.signal.aborted) resolve();
          streams.signal.addEventListener("abort", () => resolve(), { once: true });
        }),
      ]);
      detach();
      await out.flushed();
      return { exitCode: 0 };
    },
    async portForward({ namespace, pod, port }) {
      const worker = findWorker(namespace, pod);
      if (!worker) throw new NodeRequestError(404, `pod "${pod}" does not exist`);
      const ip = worker.ip;
      if (ip === undefined) throw new Error(`sandbox "${pod}" is not running`);
      try {
        return await network.dial(ip, port);
      } catch {
        const uid = worker.pod.metadata?.uid ?? "";
        throw new Error(
          `error forwarding port ${port} to pod ${pod}, uid ${uid}: failed to connect to localhost:${port} inside the Pod's network namespace, IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6 [::1]:${port}: connect: connection refused`,
        );
      }
    },
  };
}

/**
 * Returns the log to show.
 * @throws NodeRequestError with the kubelet's message when there is no log (validateContainerLogStatus)
 */
function logOf(slot: ContainerSlot, pod: string, previous: boolean) {
  const refuse = (message: string) => new NodeRequestError(400, message);
  const name = `container "${slot.name}" in pod "${pod}"`;
  if (previous) {
    // While a container waits for its restart, its ended run already counts as the previous one.
    const run = slot.waiting && slot.run?.exit ? slot.run : slot.previous;
    if (!run?.container) throw refuse(`previous terminated ${name} not found`);
    return run.container.log;
  }
  const container = slot.run?.container ?? slot.previous?.container;
  if (container) return container.log;
  const reason = containerStatus(slot, "ContainerCreating").state?.waiting?.reason ?? "ContainerCreating";
  if (reason === "ErrImagePull") throw refuse(`${name} is waiting to start: image can't be pulled`);
  if (reason === "ImagePullBackOff")
    throw refuse(`${name} is waiting to start: trying and failing to pull image`);
  throw refuse(`${name} is waiting to start: ${reason}`);
}

/**
 * Forwards the client's input to a process.
 * @param close whether the end of the client's input ends the process's input
 */
async function pump(streams: ContainerStreams, stdin: ReturnType<typeof createBytePipe>, close: boolean) {
  try {
    for await (const chunk of streams.stdin) {
      stdin.write(chunk);
      await stdin.drained(streams.signal);
    }
  } catch {
    // The client disconnected. This ends its input as well.
  }
  if (close) stdin.end();
}

interface Size {
  width: number;
  height: number;
}

/** How long a session waits for the first size of its terminal, in ms. */
const firstSizeTimeout = 1_000;

/**
 * Reads the sizes of a client's terminal. With a clock, `first` resolves when a size has arrived, when the
 * client will send none, or after `firstSizeTimeout`. kubectl sends its size right after the upgrade, and
 * prints an error if the session has ended by then.
 */
function createSizes(streams: ContainerStreams, clock?: Clock) {
  const { promise: first, resolve: arrived } = Promise.withResolvers<void>();
  const timer: TimerHandle = clock?.setTimeout(arrived, firstSizeTimeout);
  if (!clock) arrived();
  let last: Size | undefined;
  let resize = (size: Size): void => {
    last = size;
  };
  const read = async (): Promise<void> => {
    for await (const size of streams.resize) {
      resize(size);
      arrived();
    }
  };
  // Reading fails when the client disconnects.
  read()
    .catch(() => {})
    .then(arrived);
  return {
    first,
    /** Passes the current size and every change to a process. */
    follow(process: (size: Size) => void): void {
      resize = process;
      if (last) process(last);
    },
    [Symbol.dispose]: () => clock?.clearTimeout(timer),
  };
}
