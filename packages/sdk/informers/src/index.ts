export { type Backoff, type BackoffOptions, createBackoff } from "./backoff.ts";
export type { EventHandler, HandlerRegistration } from "./event-handler.ts";
export {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
} from "./events/event-recorder.ts";
export {
  createInformerFactory,
  type InformerFactory,
  type InformerFactoryOptions,
} from "./informer-factory.ts";
export { DeletedFinalStateUnknown, isOlder, keyOf, splitKey, unwrapTombstone } from "./keys.ts";
export type { ElectionDurations } from "./leader-election/durations.ts";
export {
  createLeaderElector,
  type LeaderElector,
  type LeaderElectorOptions,
  leaderElectionMetrics,
} from "./leader-election/leader-elector.ts";
export { LeadershipLostError } from "./leader-election/term.ts";
export {
  createListWatch,
  type ListWatch,
  type ListWatchOptions,
  type PageRequest,
  type Selection,
  type WatchRequest,
} from "./list-watch.ts";
export type { Indexer, Lister, NamespaceLister } from "./lister.ts";
export type { Counter, Gauge, Histogram, MetricDefinition, MetricsProvider } from "./metrics.ts";
export type { ReflectorHealth } from "./reflector.ts";
export { matchLabels } from "./selectors.ts";
export {
  createSharedInformer,
  createSharedInformerOn,
  type InformerHealth,
  type SharedInformer,
  type SharedInformerOptions,
} from "./shared-informer.ts";
export { type Slice, slice } from "./slice.ts";
export type { Change } from "./store/change.ts";
export type { IndexFunction } from "./store/entry-store.ts";
export type { StoreKind } from "./store/policies.ts";
export { workQueueMetrics } from "./work-queue/queue-metrics.ts";
export {
  bucketRateLimiter,
  defaultControllerRateLimiter,
  exponentialFailureRateLimiter,
  fastSlowRateLimiter,
  maxOfRateLimiter,
  type RateLimiter,
  withMaxWaitRateLimiter,
} from "./work-queue/rate-limiter.ts";
export {
  type AddOptions,
  createPriorityQueue,
  createWorkQueue,
  delayOf,
  type WorkQueue,
  type WorkQueueOptions,
} from "./work-queue/work-queue.ts";
export { type Result, runWorkers, type WorkerOptions } from "./work-queue/workers.ts";
