import { abortable, type Clock } from "@operator-path/client";
import { LeadershipLostError } from "@operator-path/informers";
import { isAbort } from "../controller/error-kinds.ts";
import { devHost } from "../dev/host.ts";
import type { Logger } from "../log/logger.ts";
import { untilAborted } from "../until-aborted.ts";
import { createLeadership, type LeadershipOptions } from "./leadership.ts";
import type { Runnable } from "./runnable.ts";
import { createRunnableGroup, type RunnableGroup } from "./runnable-group.ts";

export interface LifecycleOptions {
  log: Logger;
  clock: Clock;
  gracefulShutdownTimeout: number;
  election?: Omit<LeadershipOptions, "group" | "onElected" | "onFailure">;
  /** Aborted with the reason as soon as the manager begins to stop. */
  stopping: AbortController;
  /** Called when everything else has ended. */
  flush(signal: AbortSignal): Promise<void>;
  /** Called at the very end, also after a failure. */
  close(): Promise<void>;
}

/** Starts the groups of a manager in order and stops them in reverse. Go: controllerManager. */
export function createLifecycle(options: LifecycleOptions) {
  const { log, clock, gracefulShutdownTimeout, election } = options;
  const elected = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  // Avoids an unhandled rejection for later failures, and for failures before `start` waits.
  failed.promise.catch(() => {});
  let started = false;
  let stopping: { reason: unknown } | undefined;

  function onFailure(error: unknown, runnable?: Runnable): void {
    failed.reject(error);
    // A runnable that ends because it was stopped has not failed.
    if (stopping && !isAbort(error, stopping.reason) && !(error instanceof LeadershipLostError)) {
      log.error({ error, runnable: runnable?.name }, "A runnable failed while the manager stopped");
    }
  }
  const group = (name: string) => createRunnableGroup({ name, onFailure });
  const httpServers = group("HTTP servers");
  const webhooks = group("webhooks");
  const caches = group("caches");
  const others = group("runnables");
  const warmups = group("warm-ups");
  const leaders = group("leader election runnables");
  const leadership =
    election && createLeadership({ ...election, group: leaders, onElected: elected.resolve, onFailure });

  function add(runnable: Runnable): void {
    const { warmup, needLeaderElection = true, group: named } = runnable;
    const own = named ? { httpServers, webhooks, caches }[named] : needLeaderElection ? leaders : others;
    own.add(runnable);
    if (warmup && own === leaders) {
      const warmed = Promise.withResolvers<void>();
      const start = (signal: AbortSignal) => warmup(signal).then(warmed.resolve);
      const ready = (signal: AbortSignal) => abortable(warmed.promise, signal);
      warmups.add({ name: `warm-up of ${runnable.name}`, start, ready });
    }
  }

  async function startGroups(): Promise<void> {
    for (const each of [httpServers, webhooks, caches, others, warmups]) {
      if (stopping) return;
      await each.start();
    }
    if (stopping) return;
    if (leadership) return leadership.start();
    await leaders.start();
    elected.resolve();
  }

  const groups: readonly [RunnableGroup, (reason: unknown) => Promise<void>][] = [
    [others, others.stop],
    [leaders, leadership?.stop ?? leaders.stop],
    [caches, caches.stop],
    [webhooks, webhooks.stop],
    [httpServers, httpServers.stop],
  ];

  /** Groups that have been asked to stop. */
  const stoppingGroups = new Set([warmups]);

  async function stopInOrder(reason: unknown, flushing: AbortSignal): Promise<void> {
    const warmed = warmups.stop(reason);
    for (const [each, stop] of groups) {
      stoppingGroups.add(each);
      log.info(`Stopping and waiting for ${each.name}`);
      await stop(reason);
    }
    await warmed;
    await options.flush(flushing);
  }

  /** Stops in order within the grace period. Then stops the remaining groups without waiting for them. */
  async function stop(reason: unknown, patience: number): Promise<void> {
    stopping = { reason };
    options.stopping.abort(reason);
    const late = new AbortController();
    const stopped = stopInOrder(reason, late.signal).then(() => true);
    const timer =
      patience === Number.POSITIVE_INFINITY ? undefined : clock.setTimeout(() => late.abort(), patience);
    const expired = new Promise<false>((resolve) =>
      late.signal.addEventListener("abort", () => resolve(false), { once: true }),
    );
    if (await Promise.race([stopped, expired])) {
      clock.clearTimeout(timer);
      return;
    }
    const running = [...stoppingGroups].flatMap((each) => each.running());
    for (const [, stopOne] of groups) stopOne(reason).catch(() => {});
    if (patience > 0) {
      throw new Error(
        `failed waiting for all runnables to end within grace period of ${patience / 1000}s: ${running.join(", ") || "Events"} still running`,
      );
    }
  }

  return {
    add,
    elected: elected.promise,
    lost: () => leadership?.lost(),
    checkLeadership: leadership && (() => leadership.check()),
    async start(signal: AbortSignal): Promise<void> {
      if (started) throw new Error("the manager has already started: create another one");
      started = true;
      let failure: { error: unknown } | undefined;
      const aborted = untilAborted(signal);
      elected.promise.then(() => devHost()?.report({ state: "ready" }));
      try {
        log.info("Starting manager");
        await Promise.race([startGroups().then(() => aborted), aborted, failed.promise]);
      } catch (error) {
        failure = { error };
      }
      const reason = failure ? failure.error : signal.reason;
      // Another process leads by now, so do not wait.
      const isLost = failure?.error instanceof LeadershipLostError;
      if (isLost) devHost()?.report({ state: "lost" });
      try {
        await stop(reason, isLost ? 0 : gracefulShutdownTimeout);
      } catch (error) {
        if (failure) log.error({ error }, "The manager did not stop in time");
        failure ??= { error };
      } finally {
        await options.close();
      }
      if (failure) throw failure.error;
      log.info("Manager stopped");
    },
  };
}
