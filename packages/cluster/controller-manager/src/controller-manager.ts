import { type Client, type Clock, systemClock } from "@operator-path/client";
import { createEventRecorder, type EventRecorder } from "@operator-path/informers";
import type { Controller, ControllerContext, Log } from "./controller.ts";
import { createDeploymentController } from "./deployment/deployment.ts";
import { createEventTtlController } from "./events/event-ttl.ts";
import { createGarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { createInformers } from "./informers.ts";
import { createNamespaceController } from "./namespace/namespace.ts";
import { createPodGarbageCollector } from "./node/pod-gc.ts";
import { createNodeTaintController } from "./node/taints.ts";
import { createReplicaSetController } from "./replicaset/replicaset.ts";
import { createScheduler } from "./scheduler/scheduler.ts";
import { createServiceAccountController } from "./service-account/default-service-account.ts";
import { createRootCaController } from "./service-account/root-ca.ts";

/** By kube-controller-manager's names. The scheduler is a program of its own there, and event-ttl a part of the API server. */
const creators = {
  "deployment-controller": createDeploymentController,
  "replicaset-controller": createReplicaSetController,
  scheduler: createScheduler,
  "serviceaccount-controller": createServiceAccountController,
  "root-ca-certificate-publisher-controller": createRootCaController,
  "namespace-controller": createNamespaceController,
  "node-lifecycle-controller": createNodeTaintController,
  "pod-garbage-collector-controller": createPodGarbageCollector,
  "garbage-collector-controller": createGarbageCollector,
  "event-ttl-controller": createEventTtlController,
} satisfies Record<string, (context: ControllerContext) => Controller>;

export type ControllerName = keyof typeof creators;

export interface ControllerManagerOptions {
  client: Client;
  /** Which to run. Default: all. Beside a real kube-controller-manager it is the scheduler alone. */
  controllers?: ControllerName[];
  /** The CA certificate of the API server, PEM: published in every namespace. Without it, it is not. */
  caCertificate?: string;
  /** Default: the system's. */
  clock?: Clock;
  /** Numbers in [0, 1), for jitter. Default: Math.random. */
  random?: () => number;
  /** Gets a line for each failure that will be tried again. Default: nowhere. */
  log?: Log;
}

export interface ControllerManager {
  /** Resolves when the caches have been filled once, and every controller has begun to work. */
  ready: Promise<void>;
  /**
   * Ends everything: reconciles under way finish, Events are sent (for two seconds at most: the API server may be gone),
   * watches are closed. Never rejects.
   */
  stop(): Promise<void>;
}

const flushPatienceMs = 2000;

/**
 * Runs the controllers that make Deployments into running Pods: Deployment, ReplicaSet, scheduler, garbage collector,
 * namespace, ServiceAccount and those of nodes. They speak HTTP to the API server, as any controller does, and it may be
 * any: they keep nothing that they could not read from it again.
 *
 * Promised: they never write when nothing has changed, and never give up. Not promised: leader election. Two managers on
 * one API server do each other no harm, but twice the work.
 */
export function startControllerManager(options: ControllerManagerOptions): ControllerManager {
  const { client, caCertificate, clock = systemClock, random = Math.random, log = () => {} } = options;
  const informers = createInformers(client, { clock, random, log });
  const recorders = new Map<string, EventRecorder>();
  const context: ControllerContext = { client, caCertificate, informers, clock, random, log, recorder };

  const wanted = options.controllers ?? (Object.keys(creators) as ControllerName[]);
  const controllers = wanted.map((name) => creators[name](context));

  const stopping = new AbortController();
  const caches = informers.inUse().map(({ informer }) => informer);
  const watching = caches.map((informer) => informer.run(stopping.signal));
  const ready = Promise.all(caches.map((informer) => informer.waitForSync(stopping.signal))).then(() => {});
  // Nobody acts on half a cache. When it is stopped before there is a whole one, there is nothing to end.
  const working = ready.then(
    () => Promise.all(controllers.map((controller) => controller.run(stopping.signal))),
    () => {},
  );

  return {
    ready,
    async stop() {
      stopping.abort();
      await Promise.all([working, ...watching]);
      const sent = new AbortController();
      const flushed = Promise.all([...recorders.values()].map((recorder) => recorder.flush()));
      await Promise.race([flushed, clock.sleep(flushPatienceMs, sent.signal).catch(() => {})]);
      sent.abort();
    },
  };

  function recorder(component: string): EventRecorder {
    const existing = recorders.get(component) ?? createEventRecorder(client, { component, clock, log });
    recorders.set(component, existing);
    return existing;
  }
}
