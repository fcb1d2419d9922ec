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

/** By kube-controller-manager's names. The scheduler is a program of its own there, local-path-provisioner comes with kind, and event-ttl a part of the API server. */
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

/** What a cluster cannot be called ready without. */
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

/** What the scheduler looks at for Pods with claims only. */
const lateCaches: ReadonlySet<string> = new Set([
  "persistentvolumeclaims",
  "persistentvolumes",
  "storageclasses",
]);

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
  /**
   * Resolves when the caches that Pods of Deployments need have been filled once, and their controllers have begun to work.
   * The other controllers follow at once: a cluster is not kept waiting for kinds that nobody uses yet.
   */
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
  const [early, late] = [wanted.filter(isEarly), wanted.filter((name) => !isEarly(name))];
  const earlyControllers = early.map((name) => creators[name](context));
  const earlyCaches = informers.inUse().filter(({ resource }) => !lateCaches.has(resource.plural));
  const lateControllers = late.map((name) => creators[name](context));

  const stopping = new AbortController();
  const watching: Promise<void>[] = [];
  const ready = fill(earlyCaches);
  // Nobody acts on half a cache: stopped before there is a whole one, controllers only end, and with them their queues' timers.
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

  /** One after the other: nodes and their first Pods go first. */
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
