export { abortable } from "./abortable.ts";
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
} from "./api-error.ts";
export { type Client, type ClientOptions, createClient, createClientOn } from "./client.ts";
export { type Clock, sleepBy, systemClock, type TimerHandle } from "./clock.ts";
export { createDeadline, type Deadline } from "./deadline.ts";
export { DurationError, formatDuration, parseDuration, parseDurationNanoseconds } from "./duration.ts";
export type { Frozen, FrozenObject } from "./frozen.ts";
export type {
  ClusterRole,
  ClusterRoleBinding,
  Condition,
  ConfigMap,
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  ControllerRevision,
  CronJob,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  DaemonSet,
  Deployment,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  EndpointSlice,
  Endpoints,
  EnvVar,
  EphemeralContainer,
  Event,
  EventSource,
  Eviction,
  HorizontalPodAutoscaler,
  Ingress,
  IntOrString,
  Job,
  JSONSchemaProps,
  LabelSelector,
  LabelSelectorRequirement,
  Lease,
  ListMeta,
  MutatingWebhookConfiguration,
  Namespace,
  NetworkPolicy,
  Node,
  NodeCondition,
  NodeSpec,
  NodeStatus,
  ObjectMeta,
  ObjectReference,
  OwnerReference,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodCondition,
  PodDisruptionBudget,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  Probe,
  Quantity,
  ReplicaSet,
  ReplicaSetSpec,
  ReplicaSetStatus,
  ResourceQuota,
  Role,
  RoleBinding,
  Scale,
  Secret,
  SecurityContext,
  Service,
  ServiceAccount,
  ServicePort,
  ServiceSpec,
  StatefulSet,
  Status,
  StatusCause,
  StatusDetails,
  StorageClass,
  Taint,
  Toleration,
  ValidatingWebhookConfiguration,
  Volume,
  VolumeMount,
} from "./generated/kubernetes-types.ts";
export { type InClusterOptions, inClusterConfig } from "./in-cluster.ts";
export type { KindOf, Kinds, Typed, TypedApply } from "./kinds.ts";
export { CredentialsError, type CredentialsErrorOptions } from "./kube-config/credentials-error.ts";
export { KubeConfig } from "./kube-config/kube-config.ts";
export {
  type Cluster,
  type Context,
  type KubeConfigData,
  mergeKubeConfigs,
  type User,
} from "./kube-config/kube-config-data.ts";
export { createLineSplitter, type LineSplitter, splitLines } from "./lines.ts";
export { loadKubeConfig } from "./load-kube-config.ts";
export type {
  ApplyConfiguration,
  DeepPartial,
  JsonPatchOperation,
  MergePatch,
  PatchBodies,
  StrategicMergePatch,
} from "./patch-types.ts";
export { type AttachOptions, attach } from "./pods/attach.ts";
export type { ByteSink, ByteSource } from "./pods/byte-streams.ts";
export { type ExecOptions, type ExecResult, exec } from "./pods/exec.ts";
export { type LogOptions, logBytes, logs } from "./pods/logs.ts";
export type { PodReference } from "./pods/pod-reference.ts";
export {
  type ForwardedPort,
  type PortForward,
  PortForwardError,
  type PortForwardOptions,
  portForward,
} from "./pods/port-forward.ts";
export type { TerminalSize } from "./pods/remote-command.ts";
export {
  addQuantities,
  approximate,
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  QuantityError,
  subtractQuantities,
} from "./quantity.ts";
export { type FailedRequest, RequestError } from "./request-error.ts";
export {
  apiVersionOf,
  defineResource,
  type KubeObject,
  type ObjectOf,
  pathOf,
  type Resource,
  type ResourceNames,
  type SchemaResource,
} from "./resource.ts";
export type {
  DeleteOptions,
  List,
  ListOptions,
  PatchOptions,
  PatchType,
  ReadOptions,
  ResourceClient,
  WatchOptions,
  WriteOptions,
} from "./resource-client.ts";
export {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  cronJobs,
  customResourceDefinitions,
  daemonSets,
  deployments,
  endpointSlices,
  events,
  horizontalPodAutoscalers,
  ingresses,
  jobs,
  leases,
  mutatingWebhookConfigurations,
  namespaces,
  networkPolicies,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  resourceQuotas,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  statefulSets,
  storageClasses,
  validatingWebhookConfigurations,
} from "./resources.ts";
export { createRetryingTransport, type RetryOptions } from "./retrying-transport.ts";
export { type ServerWarning, type WarningHandler, warnOnce } from "./server-warning.ts";
export type { JsonSchemaOptions, OutputOf, StandardJsonSchema, StandardSchema } from "./standard-schema.ts";
export { createThrottledTransport, type ThrottleOptions } from "./throttled-transport.ts";
export {
  type ConnectRequest,
  createTransport,
  type Query,
  type Transport,
  type TransportConnection,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from "./transport.ts";
export { UsageError } from "./usage-error.ts";
export { decodeWatchEvent, type WatchEvent } from "./watch-event.ts";
export { watchful } from "./watchful-signal.ts";
