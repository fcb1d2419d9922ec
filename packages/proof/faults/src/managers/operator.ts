import { deployments, KubeConfig, type Transport } from "@operator-path/client";
import {
  createManager,
  createScheme,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  generationChanged,
  getControllerOf,
  type Logger,
  labelChanged,
  type Manager,
  newControllerManagedBy,
  or,
  type ReconcileContext,
  ReconcileTimeoutError,
  type Request,
  type RequestQueue,
  type Result,
  TerminalError,
} from "@operator-path/controller-runtime";
import type { Random } from "../random.ts";
import type { ReconcileJudge } from "./judges/judge-reconciles.ts";
import type { Life } from "./life.ts";
import { createSiteReconciler } from "./reference/reconcile-site.ts";
import { type Records, sites } from "./reference/site.ts";
import type { Scenario } from "./steps.ts";

export type Reconcile = (request: Request, context: ReconcileContext) => Promise<Result | undefined>;

export interface OperatorOptions {
  life: Life;
  /** A different one for each process. */
  identity: string;
  scenario: Scenario;
  transport: Transport;
  records: Records;
  random: Random;
  judge: ReconcileJudge;
  /** Reconciles requests that the reference does not know. */
  script(request: Request): Reconcile | undefined;
  note(line: string): void;
}

export interface Operator {
  readonly life: Life;
  readonly manager: Manager;
  /** Undefined before the controller has started. */
  queue(): RequestQueue | undefined;
  /** Resolves when the manager has stopped cleanly. */
  readonly ended: Promise<void>;
  /** SIGTERM. */
  stop(): void;
}

/** Starts the main program of the reference operator, in a process that may end at any time. */
export function startOperator(options: OperatorOptions): Operator {
  const { life, scenario, judge, records, random, note } = options;
  const { workers, priorityQueue, leaderElection, timeout, warmup } = scenario;
  const manager = createManager(nowhere, {
    ...{ clock: life.clock, random: random.next, transport: options.transport },
    scheme: createScheme(sites),
    logger: logTo((line) => {
      if (!life.isDead) note(`LOG ${line}`);
    }),
    cache: { store: scenario.store, ...(scenario.namespaces === "each" ? { namespaces: ["a", "b"] } : {}) },
    ...(leaderElection
      ? { leaderElection: { id: "reference", namespace: "default", identity: options.identity } }
      : {}),
  });
  const { patches, period, heedsSignal } = scenario;
  const reconcile = createSiteReconciler(manager, { records, period, patches, heedsSignal });
  let queue: RequestQueue | undefined;
  const builder = newControllerManagedBy(manager)
    .for(sites, scenario.predicates ? { predicates: [or(generationChanged, labelChanged)] } : {})
    .withOptions({
      ...{ maxConcurrentReconciles: workers, usePriorityQueue: priorityQueue, enableWarmup: warmup },
      ...(timeout ? { reconciliationTimeout: timeout } : {}),
    })
    .watchesRawSource({
      name: "pokes",
      start: (started) => {
        queue = started;
      },
    });
  if (scenario.children === "owns") builder.owns(deployments);
  if (scenario.children === "watches") builder.watches(deployments, enqueueRequestForOwner(sites));
  if (scenario.children === "mapped") {
    const toOwner = enqueueRequestsFromMapFunc((child: object) => {
      const { name } = getControllerOf(child) ?? {};
      const { namespace = "" } = (child as { metadata: { namespace?: string } }).metadata;
      return name ? [{ namespace, name }] : [];
    });
    builder.watches(deployments, toOwner);
  }
  builder.complete(async (request, context) => {
    // A dead process has a queue that is never emptied.
    if (life.isDead) return new Promise(() => {});
    judge.begin(request, context.cause);
    // A loop without a wait would never let time pass.
    if (judge.isHot) return new Promise(() => {});
    note(
      `RECONCILE ${options.identity} ${request.namespace}/${request.name} ${JSON.stringify(context.cause)}`,
    );
    try {
      const result = await (options.script(request) ?? reconcile)(request, context);
      if (!life.isDead) judge.end(request, result?.requeueAfter ? "requeueAfter" : "done");
      return result;
    } catch (error) {
      if (!life.isDead) judge.end(request, outcomeOf(error, context.signal));
      throw error;
    }
  });
  const stop = new AbortController();
  return {
    ...{ life, manager },
    queue: () => queue,
    ended: manager.start(stop.signal),
    stop: () => stop.abort(new Error("SIGTERM")),
  };
}

function outcomeOf(error: unknown, { aborted, reason }: AbortSignal): "terminal" | "error" | "stopped" {
  if (error instanceof TerminalError) return "terminal";
  return aborted && error === reason && !(reason instanceof ReconcileTimeoutError) ? "stopped" : "error";
}

/** For a person who replays a history. */
function logTo(write: (line: string) => void): Logger {
  const log = (level: string) => (fields: object | string, message?: string) => {
    if (typeof fields === "string") return write(`${level} ${fields}`);
    const { error } = fields as { error?: unknown };
    write(`${level} ${message}${error instanceof Error ? `: ${error.message}` : ""}`);
  };
  const logger: Logger = {
    debug: () => {},
    ...{ info: log("info"), warn: log("warn"), error: log("error") },
    isLevelEnabled: (level) => level !== "debug",
    child: () => logger,
  };
  return logger;
}

const nowhere = new KubeConfig();
nowhere.loadFromOptions({
  clusters: [{ name: "none", server: "https://127.0.0.1:1" }],
  users: [{ name: "none" }],
  contexts: [{ name: "none", cluster: "none", user: "none" }],
  currentContext: "none",
});
