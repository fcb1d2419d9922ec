import type { KubeConfig, Transport } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { onTestFinished } from "vitest";
import { createLogger } from "../../log/create-logger.ts";
import { createManager } from "../../manager/create-manager.ts";
import type { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import { loopbackKubeConfig } from "../../manager/testing/loopback-kube-config.ts";
import type { Source } from "../../source/source.ts";
import type { RequestQueue } from "../request-queue.ts";

export interface TestManager {
  readonly manager: Manager;
  readonly clock: FakeClock;
  /** Returns the log lines, from level "debug" on. */
  lines(message?: string): Record<string, unknown>[];
  /** Starts the manager and stops it when the test ends. */
  run(): { stop(reason?: unknown): void; ended: Promise<void> };
  /**
   * Returns the value of a series, named as in the text format:
   * `metric('workqueue_adds_total{name="test"}')`.
   */
  metric(series: string): Promise<number | undefined>;
}

/**
 * Creates a manager on a fake clock. Without a kubeconfig it has no cluster, for controllers with raw
 * sources.
 */
export function createTestManager(
  { clock = createFakeClock(), ...options }: ManagerOptions & { clock?: FakeClock } = {},
  kubeConfig?: KubeConfig,
): TestManager {
  const logged: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };
  const manager = createManager(kubeConfig ?? loopbackKubeConfig(), {
    ...(kubeConfig ? {} : { transport: unreachable }),
    logger: createLogger({ level: "debug", format: "json", destination, clock }),
    clock,
    random: () => 0,
    ...options,
  });
  return {
    ...{ manager, clock },
    lines: (message) => logged.filter(({ msg }) => message === undefined || msg === message),
    run() {
      const stop = new AbortController();
      const ended = manager.start(stop.signal);
      ended.catch(() => {});
      onTestFinished(async () => {
        stop.abort();
        await clock.advance(60_000);
        await ended.catch(() => {});
      });
      return { stop: (reason) => stop.abort(reason), ended };
    },
    async metric(series) {
      const text = await manager.metrics.metrics();
      const line = text.split("\n").find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length));
    },
  };
}

/** A source that tests add requests to. */
export function createTestSource(): Source & RequestQueue {
  let queue: RequestQueue | undefined;
  return {
    name: "test source",
    start(given) {
      queue = given;
    },
    add(request, options) {
      if (!queue) throw new Error("the controller has not started its source");
      queue.add(request, options);
    },
  };
}

const unreachable: Transport = {
  request: () => Promise.reject(new Error("this test has no cluster")),
  stream: () => Promise.reject(new Error("this test has no cluster")),
  close: () => Promise.resolve(),
};
