import type { Clock, Transport } from "@operator-path/client";

/**
 * Simulates a process that can be stopped, cut off from the network, and have its clock moved. Nothing runs
 * while stopped.
 */
export function createProcess(base: Clock) {
  const deferred: (() => void)[] = [];
  let stopped = false;
  let cutOff = false;
  let ahead = 0;
  const whenRunning = (go: () => void) => void (stopped ? deferred.push(go) : go());
  const clock: Clock = {
    ...base,
    now: () => base.now() + ahead,
    setTimeout: (callback, milliseconds) => base.setTimeout(() => whenRunning(callback), milliseconds),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        base.sleep(milliseconds, signal).then(
          () => whenRunning(resolve),
          (error) => whenRunning(() => reject(error)),
        );
      }),
  };
  async function through<R>(send: () => Promise<R>, signal: AbortSignal | undefined): Promise<R> {
    const connected = !cutOff;
    const answer = connected
      ? await send().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
      : undefined;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => whenRunning(() => reject(signal.reason)), { once: true });
      // A process that was cut off loses the answer, and gives up after a timeout, as in reality.
      if (!answer || cutOff) {
        base.setTimeout(() => whenRunning(() => reject(new Error("no answer"))), 20_000);
        return;
      }
      whenRunning(() => ("value" in answer ? resolve(answer.value) : reject(answer.error)));
    });
  }
  return {
    clock,
    transport: (inner: Pick<Transport, "request" | "stream">): Transport => ({
      request: (request) => through(() => inner.request(request), request.signal),
      stream: (request) => through(() => inner.stream(request), request.signal),
      close: async () => {},
    }),
    stop() {
      stopped = true;
    },
    resume() {
      stopped = false;
      for (const go of deferred.splice(0)) go();
    },
    partition(is: boolean) {
      cutOff = is;
    },
    jump(milliseconds: number) {
      ahead += milliseconds;
    },
  };
}
