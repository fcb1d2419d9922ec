export type { KeyPair } from "@operator-path/client/certificates";
export type { EventRecorder } from "@operator-path/informers";
export { Counter, Gauge, Histogram, Registry } from "prom-client";
export { type ControllerBuilder, newControllerManagedBy, type OwnsOptions } from "./builder/builder.ts";
export {
  newTypedControllerManagedBy,
  type TypedControllerBuilder,
  type WatchesOptions,
} from "./builder/typed-builder.ts";
export type { Cache, InformerOptions } from "./cache/cache.ts";
export { CacheNotStartedError, createCache, ResourceNotCachedError } from "./cache/create-cache.ts";
export type { CacheHealth, ResourceHealth } from "./cache/health.ts";
export type { Informer } from "./cache/informer.ts";
export {
  allNamespaces,
  type ByObject,
  byObject,
  type CacheConfig,
  type CachedNamespaces,
  type CacheOptions,
} from "./cache/options.ts";
export type { Write } from "./cache/write.ts";
export type { Client } from "./client/client.ts";
export { createObjectClient, type ObjectClientOptions } from "./client/create-client.ts";
export { ignoreAlreadyExists, ignoreNotFound } from "./client/errors.ts";
export { metadataOnly, type PartialObjectMetadata, type WholeObject } from "./client/metadata-only.ts";
export { type ObjectKey, objectKeyOf } from "./client/object-key.ts";
export {
  type MergeFromOptions,
  mergeFrom,
  type Patch,
  rawPatch,
  strategicMergeFrom,
} from "./client/patch.ts";
export type { GetOptions, ListOptions, Reader } from "./client/reader.ts";
export { type RetryOptions, retryOnConflict } from "./client/retry-on-conflict.ts";
export { createScheme, type Scheme, SchemeError, type TypeMeta } from "./client/scheme.ts";
export type { WriteDefaults } from "./client/server-writer.ts";
export type { SubResourceClient, SubResourceUpdateOptions, SubResourceWriter } from "./client/subresource.ts";
export type {
  ApplyOptions,
  DeleteAllOfOptions,
  DeleteOptions,
  PatchOptions,
  WriteOptions,
  Writer,
} from "./client/writer.ts";
export {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  type NewCondition,
  removeStatusCondition,
  setStatusCondition,
} from "./conditions/conditions.ts";
export type { Controller } from "./controller/controller.ts";
export { controllerMetrics } from "./controller/controller-metrics.ts";
export {
  createController,
  createTypedController,
  type NewControllerOptions,
} from "./controller/create-controller.ts";
export type { ControllerOptions } from "./controller/options.ts";
export { ReconcileTimeoutError } from "./controller/reconcile-signal.ts";
export type { EnqueueOptions, RequestQueue } from "./controller/request-queue.ts";
export { createOrPatch } from "./controllerutil/create-or-patch.ts";
export {
  createOrUpdate,
  type MutateFunction,
  type Operation,
  type OperationOptions,
  type OperationResult,
} from "./controllerutil/create-or-update.ts";
export { addFinalizer, containsFinalizer, removeFinalizer } from "./controllerutil/finalizers.ts";
export {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  type OwnerReferenceOptions,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./controllerutil/owner-references.ts";
export {
  createFinalizers,
  type FinalizeResult,
  type Finalizer,
  type FinalizerResult,
  type Finalizers,
  writeFinalized,
} from "./finalizer/finalizers.ts";
export { enqueueRequestForObject } from "./handler/enqueue-request-for-object.ts";
export { type EnqueueOwnerOptions, enqueueRequestForOwner } from "./handler/enqueue-request-for-owner.ts";
export {
  enqueueRequestsFromMapFunc,
  enqueueTypedRequestsFromMapFunc,
  type MapFunction,
} from "./handler/enqueue-requests-from-map-func.ts";
export {
  type EventHandler,
  type HandlerContext,
  type HandlerFunctions,
  handlerFuncs,
  lowPriority,
} from "./handler/event-handler.ts";
export { type Check, ping } from "./healthz/check.ts";
export { createLogger, type LoggerOptions } from "./log/create-logger.ts";
export type { LogFunction, Logger } from "./log/logger.ts";
export { createManager } from "./manager/create-manager.ts";
export type { Manager } from "./manager/manager.ts";
export type { ControllerDefaults, LeaderElectionOptions, ManagerOptions } from "./manager/options.ts";
export type { Runnable } from "./manager/runnable.ts";
export { setupSignalHandler, TerminatedError } from "./manager/signals.ts";
export { watchNamespaces } from "./manager/watch-namespace.ts";
export type { MetricsServerOptions } from "./metrics/metrics-options.ts";
export { createPrometheusMetrics } from "./metrics/prometheus-metrics.ts";
export {
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  resourceVersionChanged,
} from "./predicate/changed.ts";
export {
  and,
  newPredicateFuncs,
  not,
  or,
  type Predicate,
  type PredicateFunctions,
  predicateFuncs,
} from "./predicate/predicate.ts";
export { asReconciler, type ObjectReconcileFunction } from "./reconcile/object-reconciler.ts";
export type { ReconcileCause, ReconcileTrigger, Trigger } from "./reconcile/reconcile-cause.ts";
export type { ReconcileContext, ReconcileFunction, Reconciler } from "./reconcile/reconciler.ts";
export type { Request } from "./reconcile/request.ts";
export type { Result } from "./reconcile/result.ts";
export { TerminalError } from "./reconcile/terminal-error.ts";
export {
  type Channel,
  type ChannelOptions,
  type ChannelSourceOptions,
  channelSource,
  createChannel,
} from "./source/channel.ts";
export { type KindSourceOptions, kindSource } from "./source/kind.ts";
export {
  genericEvent,
  isResync,
  isUpdate,
  type ObjectEvent,
  type UpdateEvent,
} from "./source/object-event.ts";
export type { Source, SourceContext } from "./source/source.ts";
export { type AdmissionWebhookOptions, admissionWebhook } from "./webhook/admission/admission-webhook.ts";
export {
  type CustomDefaulter,
  type CustomDefaulterOptions,
  customDefaulter,
} from "./webhook/admission/custom-defaulter.ts";
export {
  type CustomValidator,
  type CustomValidatorOptions,
  customValidator,
  type ValidationContext,
} from "./webhook/admission/custom-validator.ts";
export { type FieldError, field, invalidObject, throwIfInvalid } from "./webhook/admission/field-error.ts";
export { type FieldPath, fieldPath } from "./webhook/admission/field-path.ts";
export type { AdmissionContext, AdmissionHandler } from "./webhook/admission/handler.ts";
export { multiMutatingHandler, multiValidatingHandler } from "./webhook/admission/multi-handler.ts";
export type {
  AdmissionRequest,
  GroupVersionKind,
  GroupVersionResource,
  UserInfo,
} from "./webhook/admission/request.ts";
export {
  type AdmissionResponse,
  allowed,
  denied,
  errored,
  patched,
  refused,
  withWarnings,
} from "./webhook/admission/response.ts";
export {
  newWebhookManagedBy,
  type WebhookBuilder,
  type WebhookManager,
} from "./webhook/builder/webhook-builder.ts";
export type { InjectionTargets } from "./webhook/certificates/inject.ts";
export {
  type IssueCertificatesContext,
  type IssueCertificatesOptions,
  issueCertificates,
} from "./webhook/certificates/issue-certificates.ts";
export type { CertificateLifetimes } from "./webhook/certificates/state.ts";
export {
  type ConversionWebhookOptions,
  conversionWebhook,
} from "./webhook/conversion/conversion-webhook.ts";
export {
  ConversionError,
  type Converter,
  type ConverterRegistry,
  createConverterRegistry,
} from "./webhook/conversion/converter.ts";
export { type ConvertibleOptions, convertible, type Spoke } from "./webhook/conversion/convertible.ts";
export type { ManagerWebhookOptions } from "./webhook/manager-server.ts";
export type { CertificateSource } from "./webhook/server/certificate-source.ts";
export type { WebhookAnswer, WebhookHandler, WebhookRequest } from "./webhook/server/handler.ts";
export type { WebhookServerOptions } from "./webhook/server/options.ts";
export { createWebhookServer, type WebhookServer } from "./webhook/server/webhook-server.ts";
