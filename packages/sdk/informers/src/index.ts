export { type Backoff, type BackoffOptions, createBackoff } from "./backoff.ts";
export type { EventHandler, HandlerRegistration } from "./event-handler.ts";
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from "./event-recorder.ts";
export type { Indexer, IndexFunction } from "./indexer.ts";
export {
  createInformerFactory,
  type InformerFactory,
  type InformerFactoryOptions,
} from "./informer-factory.ts";
export { DeletedFinalStateUnknown, keyOf, splitKey, unwrapTombstone } from "./keys.ts";
export { createListWatch, type ListWatch, type Selection } from "./list-watch.ts";
export type { Lister, NamespaceLister } from "./lister.ts";
export {
  bucketRateLimiter,
  defaultControllerRateLimiter,
  exponentialFailureRateLimiter,
  maxOfRateLimiter,
  type RateLimiter,
} from "./rate-limiter.ts";
export { createReflector, type Reflector, type ReflectorOptions, type ReflectorSink } from "./reflector.ts";
export { matchLabels } from "./selectors.ts";
export {
  createSharedInformer,
  createSharedInformerOn,
  type SharedInformer,
  type SharedInformerOptions,
} from "./shared-informer.ts";
export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from "./work-queue.ts";
export { type Result, runWorkers, type WorkerOptions } from "./workers.ts";
