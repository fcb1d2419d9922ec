import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Client as Connection } from "@operator-path/client";
import {
  createLeaderElector,
  type EventRecorder,
  type LeaderElector,
  LeadershipLostError,
  type MetricsProvider,
} from "@operator-path/informers";
import { devHost } from "../dev/host.ts";
import type { Logger } from "../log/logger.ts";
import { untilAborted } from "../until-aborted.ts";
import type { LeaderElectionOptions } from "./options.ts";
import type { RunnableGroup } from "./runnable-group.ts";

export interface LeadershipOptions {
  connection: Connection;
  options: LeaderElectionOptions;
  /** The runnables that need leadership. */
  group: RunnableGroup;
  recorder: EventRecorder;
  metrics: MetricsProvider;
  log: Logger;
  clock: Clock;
  random: () => number;
  onElected(): void;
  /** Called as soon as the failure is known, possibly long before the runnables have ended. */
  onFailure(error: unknown): void;
}

/** Runs a group of runnables while this process holds the Lease. */
export interface Leadership {
  start(): void;
  /** Stops the group. Resolves when it has ended and the Lease was released. */
  stop(reason: unknown): Promise<void>;
  /** Returns why writes are forbidden, if they are. Checks the clock, so it needs no timer. */
  lost(): Error | undefined;
  check: LeaderElector["checkHealth"];
}

export function createLeadership(context: LeadershipOptions): Leadership {
  const { connection, group, log, onElected, onFailure } = context;
  const { id, namespace = namespaceOfPod(), ...others } = context.options;
  const lease = `${namespace}/${id}`;
  const host = devHost();
  const identity = others.identity ?? host?.leaderIdentity(lease);
  const elector = createLeaderElector(connection, {
    ...others,
    ...(identity !== undefined && { identity }),
    lease: { namespace, name: id },
    onNewLeader(holder) {
      if (identity !== undefined && holder !== "" && holder !== identity)
        host?.report({ state: "waiting", lease, holder });
    },
    ...{ recorder: context.recorder, metrics: context.metrics, clock: context.clock, random: context.random },
    log: (line) => log.info(line),
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let term: AbortSignal | undefined;
  let loss: LeadershipLostError | undefined;

  async function lead(signal: AbortSignal): Promise<void> {
    term = signal;
    const ended = untilAborted(signal).then(() => {
      if (signal.reason instanceof LeadershipLostError) onFailure(signal.reason);
    });
    // Stopped just as the Lease was won: runnables started now might ignore a signal that has already
    // aborted.
    if (!signal.aborted) {
      await group.start(signal);
      onElected();
    }
    await ended;
    await group.stop(signal.reason);
    lost();
    term = undefined;
  }

  function lost(): Error | undefined {
    if (loss || !term?.aborted) return loss;
    const reason: unknown = term.reason;
    if (reason instanceof LeadershipLostError) loss = reason;
    // Stopped for another reason, and runnables are still ending: keep the Lease for them if possible.
    else if (!elector.holdsLease()) loss = new LeadershipLostError("the Lease was lost while the work ended");
    return loss;
  }

  return {
    start() {
      running = elector.run(lead, stopping.signal);
      running.catch(onFailure);
    },
    async stop(reason) {
      stopping.abort(reason);
      await running?.catch(() => {});
      // Leadership was never won: nothing was started, and nothing will be.
      await group.stop(reason);
    },
    lost,
    check: elector.checkHealth,
  };
}

/** @throws Error when this process does not run in a Pod */
function namespaceOfPod(): string {
  const root = process.env.OPERATOR_PATH_SERVICE_ACCOUNT_ROOT || "/";
  const file = join(root, "var/run/secrets/kubernetes.io/serviceaccount/namespace");
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new Error(
      "leaderElection.namespace is missing, and this process does not run in a Pod: set the namespace of the Lease",
    );
  }
}
