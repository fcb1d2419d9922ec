import { type Client, type Clock, systemClock } from "@operator-path/client";
import { createEventRecorder, type EventRecorder } from "@operator-path/informers";
import { createClusterRoleAggregationController } from "./cluster-role-aggregation/cluster-role-aggregation.ts";
import type { Controller, ControllerContext, Log } from "./controller.ts";
import { createCronJobController } from "./cronjob/cronjob.ts";
import { createDaemonSetController } from "./daemonset/daemonset.ts";
import { createDeploymentController } from "./deployment/deployment.ts";
import { createDisruptionController } from "./disruption/disruption.ts";
import { createEndpointSliceController } from "./endpoint-slice/endpoint-slice.ts";
import { createEndpointsController } from "./endpoints/endpoints.ts";
import { createEventTtlController } from "./events/event-ttl.ts";
import { createGarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { createInformers, type SharedCache } from "./informers.ts";
import { createJobController } from "./job/job.ts";
import { createNamespaceController } from "./namespace/namespace.ts";
import { createPodGarbageCollector } from "./node/pod-gc.ts";
import { createTaintEvictionController } from "./node/taint-eviction.ts";
import { createNodeTaintController } from "./node/taints.ts";
import { createReplicaSetController } from "./replicaset/replicaset.ts";
import { createResourceQuotaController } from "./resource-quota/resource-quota.ts";
import { createScheduler } from "./scheduler/scheduler.ts";
import { createServiceAccountController } from "./service-account/default-service-account.ts";
import { createRootCaController } from "./service-account/root-ca.ts";
import { createTokenSecretController } from "./service-account/token-secrets.ts";
import { createStatefulSetController } from "./statefulset/statefulset.ts";
import {
  createClaimProtectionController,
  createVolumeProtectionController,
} from "./storage-protection/storage-protection.ts";
import { createTtlAfterFinishedController } from "./ttl-after-finished/ttl-after-finished.ts";
import { createVolumeBinder } from "./volume/binder.ts";
import { createLocalPathProvisioner } from "./volume/local-path-provisioner.ts";

/**
 * Named as in kube-controller-manager. In a real cluster the scheduler is a separate program,
 * local-path-provisioner comes with kind, and event-ttl belongs to the API server.
 */
const creators = {
  "deployment-controller": createDeploymentController,
  "replicaset-controller": createReplicaSetController,
  "daemonset-controller": createDaemonSetController,
  "job-controller": createJobController,
  "cronjob-controller": createCronJobController,
  "ttl-after-finished-controller": createTtlAfterFinishedController,
  "statefulset-controller": createStatefulSetController,
  "persistentvolume-binder-controller": createVolumeBinder,
  "local-path-provisioner": createLocalPathProvisioner,
  "persistentvolumeclaim-protection-controller": createClaimProtectionController,
  "persistentvolume-protection-controller": createVolumeProtectionController,
  "resourcequota-controller": createResourceQuotaController,
  scheduler: createScheduler,
  "disruption-controller": createDisruptionController,
  "endpointslice-controller": createEndpointSliceController,
  "endpoints-controller": createEndpointsController,
  "serviceaccount-controller": createServiceAccountController,
  "serviceaccount-token-controller": createTokenSecretController,
  "root-ca-certificate-publisher-controller": createRootCaController,
  "clusterrole-aggregation-controller": createClusterRoleAggregationController,
  "namespace-controller": createNamespaceController,
  "node-lifecycle-controller": createNodeTaintController,
  "taint-eviction-controller": createTaintEvictionController,
  "pod-garbage-collector-controller": createPodGarbageCollector,
  "garbage-collector-controller": createGarbageCollector,
  "event-ttl-controller": createEventTtlController,
} satisfies Record<string, (context: ControllerContext) => Controller>;

export type ControllerName = keyof typeof creators;

/** The controllers that a cluster needs before it is ready. */
const earlyNames: readonly ControllerName[] = [
  "deployment-controller",
  "replicaset-controller",
  "scheduler",
  "serviceaccount-controller",
  "root-ca-certificate-publisher-controller",
  "namespace-controller",
  "node-lifecycle-controller",
];

function isEarly(name: ControllerName): boolean {
  return earlyNames.includes(name);
}

/** Caches that the scheduler reads only for Pods with claims. */
const lateCaches: ReadonlySet<string> = new Set([
  "persistentvolumeclaims",
  "persistentvolumes",
  "storageclasses",
]);

export interface ControllerManagerOptions {
  client: Client;
  /** The controllers to run. Default: all. Beside a real kube-controller-manager, run only the scheduler. */
  controllers?: ControllerName[];
  /** The API server's CA certificate in PEM, published in every namespace. Default: nothing is published. */
  caCertificate?: string;
  /** Default: the system clock. */
  clock?: Clock;
  /** Returns numbers in [0, 1) for jitter. Default: Math.random. */
  random?: () => number;
  /** Receives one line for each failure that will be retried. Default: lines are dropped. */
  log?: Log;
}

export interface ControllerManager {
  /**
   * Resolves when the caches that Pods of Deployments need have synced and their controllers run. The other
   * controllers start right afterwards, so a cluster does not wait for kinds that are not in use yet.
   */
  ready: Promise<void>;
  /**
   * Stops everything: reconciles in progress finish, Events are sent and watches are closed. Sending Events
   * takes at most two seconds, because the API server may already be down. Never rejects.
   */
  stop(): Promise<void>;
}

const flushPatienceMs = 2000;

/**
 * Runs the controllers that turn workloads into running Pods, and the scheduler. They talk HTTP to any API
 * server, and keep no state that they could not read from it again.
 *
 * They write only when something has changed, and retry every failure. There is no leader election: two
 * managers on one API server do not harm each other, but do all work twice.
 */
export function startControllerManager(options: ControllerManagerOptions): ControllerManager {
  const { client, caCertificate, clock = systemClock, random = Math.random, log = () => {} } = options;
  const informers = createInformers(client, { clock, random, log });
  const recorders = new Map<string, EventRecorder>();
  const context: ControllerContext = { client, caCertificate, informers, clock, random, log, recorder };

  const wanted = options.controllers ?? (Object.keys(creators) as ControllerName[]);
  const [early, late] = [wanted.filter(isEarly), wanted.filter((name) => !isEarly(name))];
  const earlyControllers = early.map((name) => creators[name](context));
  const earlyCaches = informers.inUse().filter(({ resource }) => !lateCaches.has(resource.plural));
  const lateControllers = late.map((name) => creators[name](context));

  const stopping = new AbortController();
  const watching: Promise<void>[] = [];
  const ready = fill(earlyCaches);
  // No controller acts on an unsynced cache. When stopped before the sync, controllers only end, which also
  // clears the timers of their queues.
  const runLate = (): Promise<unknown> => run(lateControllers);
  const working = ready.then(
    async () => {
      const rest = fillInTurn(informers.inUse().filter((cache) => !earlyCaches.includes(cache)));
      await Promise.all([run(earlyControllers), rest.then(runLate, runLate)]);
    },
    () => Promise.all([run(earlyControllers), runLate()]).then(() => {}),
  );

  return {
    ready,
    async stop() {
      stopping.abort();
      await working;
      await Promise.all(watching);
      const sent = new AbortController();
      const flushed = Promise.all([...recorders.values()].map((recorder) => recorder.flush()));
      await Promise.race([flushed, clock.sleep(flushPatienceMs, sent.signal).catch(() => {})]);
      sent.abort();
    },
  };

  async function fill(caches: SharedCache[]): Promise<void> {
    watching.push(...caches.map(({ informer }) => informer.run(stopping.signal)));
    await Promise.all(caches.map(({ informer }) => informer.waitForSync(stopping.signal)));
  }

  /** Fills one cache after the other, so that nodes and their first Pods come first. */
  async function fillInTurn(caches: SharedCache[]): Promise<void> {
    for (const cache of caches) await fill([cache]);
  }

  async function run(controllers: Controller[]): Promise<void> {
    await Promise.all(controllers.map((controller) => controller.run(stopping.signal)));
  }

  function recorder(component: string): EventRecorder {
    const existing = recorders.get(component) ?? createEventRecorder(client, { component, clock, log });
    recorders.set(component, existing);
    return existing;
  }
}
