// Written by scripts/generate-kubernetes-types.ts.
/**
 * The types of an API file: numbers with a range, and Kubernetes' own types. controller-gen knows each one by
 * name.
 *
 *     import type { int32, KubeObject, ResourceRequirements } from "@operator-path/controller-gen/types";
 */
export type { KubeObject, ObjectMeta } from "@operator-path/client";
export type {
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  APIVersions,
  AWSElasticBlockStoreVolumeSource,
  Affinity,
  AggregationRule,
  AppArmorProfile,
  AttachedVolume,
  AzureDiskVolumeSource,
  AzureFilePersistentVolumeSource,
  AzureFileVolumeSource,
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  Capabilities,
  CephFSPersistentVolumeSource,
  CephFSVolumeSource,
  CinderPersistentVolumeSource,
  CinderVolumeSource,
  ClientIPConfig,
  ClusterTrustBundleProjection,
  ComponentCondition,
  Condition,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  ConfigMapNodeConfigSource,
  ConfigMapProjection,
  ConfigMapVolumeSource,
  Container,
  ContainerExtendedResourceRequest,
  ContainerImage,
  ContainerPort,
  ContainerResizePolicy,
  ContainerResourceMetricSource,
  ContainerResourceMetricStatus,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  ContainerUser,
  CronJobSpec,
  CronJobStatus,
  CrossVersionObjectReference,
  DaemonEndpoint,
  DaemonSetCondition,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  DeleteOptions,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  EphemeralContainer,
  EphemeralVolumeSource,
  Event,
  EventSeries,
  EventSource,
  ExecAction,
  ExternalMetricSource,
  ExternalMetricStatus,
  FCVolumeSource,
  FieldSelectorRequirement,
  FileKeySelector,
  FlexPersistentVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GRPCAction,
  GitRepoVolumeSource,
  GlusterfsPersistentVolumeSource,
  GlusterfsVolumeSource,
  GroupResource,
  GroupVersionForDiscovery,
  HPAScalingPolicy,
  HPAScalingRules,
  HTTPGetAction,
  HTTPHeader,
  HTTPIngressPath,
  HTTPIngressRuleValue,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HostAlias,
  HostIP,
  HostPathVolumeSource,
  IPAddressSpec,
  IPBlock,
  ISCSIPersistentVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  ImageVolumeStatus,
  IngressBackend,
  IngressClassParametersReference,
  IngressClassSpec,
  IngressLoadBalancerIngress,
  IngressLoadBalancerStatus,
  IngressPortStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressStatus,
  IngressTLS,
  JobCondition,
  JobSpec,
  JobStatus,
  JobTemplateSpec,
  KeyToPath,
  LabelSelector,
  LabelSelectorRequirement,
  Lifecycle,
  LifecycleHandler,
  LimitRangeItem,
  LimitRangeSpec,
  LinuxContainerUser,
  ListMeta,
  LoadBalancerIngress,
  LoadBalancerStatus,
  LocalObjectReference,
  LocalVolumeSource,
  ManagedFieldsEntry,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ModifyVolumeStatus,
  NFSVolumeSource,
  NamespaceCondition,
  NamespaceSpec,
  NamespaceStatus,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
  NodeAddress,
  NodeAffinity,
  NodeAllocatableResourceClaimStatus,
  NodeCondition,
  NodeConfigSource,
  NodeConfigStatus,
  NodeDaemonEndpoints,
  NodeFeatures,
  NodeRuntimeHandler,
  NodeRuntimeHandlerFeatures,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSpec,
  NodeStatus,
  NodeSwapStatus,
  NodeSystemInfo,
  ObjectFieldSelector,
  ObjectMetricSource,
  ObjectMetricStatus,
  ObjectReference,
  OwnerReference,
  ParentReference,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
  PersistentVolumeClaimVolumeSource,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  PhotonPersistentDiskVolumeSource,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodCertificateProjection,
  PodCondition,
  PodDNSConfig,
  PodDNSConfigOption,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
  PodExtendedResourceClaimStatus,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  PodIP,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodResourceClaimStatus,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplate,
  PodTemplateSpec,
  PodsMetricSource,
  PodsMetricStatus,
  PolicyRule,
  PortStatus,
  PortworxVolumeSource,
  Preconditions,
  PreferredSchedulingTerm,
  Probe,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDPersistentVolumeSource,
  RBDVolumeSource,
  ReplicaSetCondition,
  ReplicaSetSpec,
  ReplicaSetStatus,
  ReplicationControllerCondition,
  ReplicationControllerSpec,
  ReplicationControllerStatus,
  ResourceClaim,
  ResourceFieldSelector,
  ResourceHealth,
  ResourceMetricSource,
  ResourceMetricStatus,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ResourceRequirements,
  ResourceStatus,
  RoleRef,
  RollingUpdateDaemonSet,
  RollingUpdateDeployment,
  RollingUpdateStatefulSetStrategy,
  SELinuxOptions,
  ScaleIOPersistentVolumeSource,
  ScaleIOVolumeSource,
  ScopeSelector,
  ScopedResourceSelectorRequirement,
  SeccompProfile,
  SecretEnvSource,
  SecretKeySelector,
  SecretProjection,
  SecretReference,
  SecretVolumeSource,
  SecurityContext,
  ServerAddressByClientCIDR,
  ServiceAccountTokenProjection,
  ServiceBackendPort,
  ServiceCIDRSpec,
  ServiceCIDRStatus,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
  SessionAffinityConfig,
  ShardInfo,
  SleepAction,
  StatefulSetCondition,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
  Status,
  StatusCause,
  StatusDetails,
  StorageOSPersistentVolumeSource,
  StorageOSVolumeSource,
  Subject,
  SuccessPolicy,
  SuccessPolicyRule,
  Sysctl,
  TCPSocketAction,
  Taint,
  Toleration,
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  TypedObjectReference,
  UncountedTerminatedPods,
  Volume,
  VolumeDevice,
  VolumeMount,
  VolumeMountStatus,
  VolumeNodeAffinity,
  VolumeProjection,
  VolumeResourceRequirements,
  VolumeStatus,
  VsphereVirtualDiskVolumeSource,
  WatchEvent,
  WeightedPodAffinityTerm,
  WindowsSecurityContextOptions,
} from "@operator-path/client/types";
export type {
  int,
  int8,
  int16,
  int32,
  int64,
  uint,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  Bytes,
  Quantity,
  IntOrString,
  Time,
  MicroTime,
  Duration,
  JSONValue,
  RawExtension,
} from "../basic-types.ts";

export type AppArmorProfileType = string;
export type AzureDataDiskCachingMode = string;
export type AzureDataDiskKind = string;
export type Capability = string;
export type CauseType = string;
export type ClaimResourceStatus = string;
export type CompletionMode = string;
export type ComponentConditionType = string;
export type ConcurrencyPolicy = string;
export type ConditionStatus = string;
export type ContainerRestartPolicy = string;
export type ContainerRestartRuleAction = string;
export type ContainerRestartRuleOnExitCodesOperator = string;
export type DNSPolicy = string;
export type DaemonSetConditionType = string;
export type DaemonSetUpdateStrategyType = string;
export type DeletionPropagation = string;
export type DeploymentConditionType = string;
export type DeploymentStrategyType = string;
export type FieldSelectorOperator = string;
export type FinalizerName = string;
export type HPAScalingPolicyType = string;
export type HorizontalPodAutoscalerConditionType = string;
export type HostPathType = string;
export type IPFamily = string;
export type IPFamilyPolicy = string;
export type IPFamilyPolicyType = string;
export type IncludeObjectPolicy = string;
export type JobConditionType = string;
export type LabelSelectorOperator = string;
export type LimitType = string;
export type LoadBalancerIPMode = string;
export type ManagedFieldsOperationType = string;
export type MetricSourceType = string;
export type MetricTargetType = string;
export type MountPropagationMode = string;
export type NamespaceConditionType = string;
export type NamespacePhase = string;
export type NodeAddressType = string;
export type NodeConditionType = string;
export type NodeInclusionPolicy = string;
export type NodePhase = string;
export type NodeSelectorOperator = string;
export type OSName = string;
export type PathType = string;
export type PersistentVolumeAccessMode = string;
export type PersistentVolumeClaimConditionType = string;
export type PersistentVolumeClaimModifyVolumeStatus = string;
export type PersistentVolumeClaimPhase = string;
export type PersistentVolumeClaimRetentionPolicyType = string;
export type PersistentVolumeMode = string;
export type PersistentVolumePhase = string;
export type PersistentVolumeReclaimPolicy = string;
export type PodConditionType = string;
export type PodFSGroupChangePolicy = string;
export type PodFailurePolicyAction = string;
export type PodFailurePolicyOnExitCodesOperator = string;
export type PodManagementPolicyType = string;
export type PodPhase = string;
export type PodQOSClass = string;
export type PodReplacementPolicy = string;
export type PodResizeStatus = string;
export type PodSELinuxChangePolicy = string;
export type PolicyType = string;
export type PreemptionPolicy = string;
export type ProcMountType = string;
export type Protocol = string;
export type PullPolicy = string;
export type RecursiveReadOnlyMode = string;
export type ReplicaSetConditionType = string;
export type ReplicationControllerConditionType = string;
export type ResourceHealthStatus = string;
export type ResourceID = string;
export type ResourceList = { [name: string]: number | string };
export type ResourceName = string;
export type ResourceQuotaScope = string;
export type ResourceResizeRestartPolicy = string;
export type ResourceVersionMatch = string;
export type RestartPolicy = string;
export type RowConditionType = string;
export type ScalingPolicySelect = string;
export type ScopeSelectorOperator = string;
export type SeccompProfileType = string;
export type SecretType = string;
export type ServiceAffinity = string;
export type ServiceExternalTrafficPolicy = string;
export type ServiceExternalTrafficPolicyType = string;
export type ServiceInternalTrafficPolicy = string;
export type ServiceInternalTrafficPolicyType = string;
export type ServiceType = string;
export type Signal = string;
export type StatefulSetConditionType = string;
export type StatefulSetUpdateStrategyType = string;
export type StatusReason = string;
export type StorageMedium = string;
export type SupplementalGroupsPolicy = string;
export type TaintEffect = string;
export type TerminationMessagePolicy = string;
export type TolerationOperator = string;
export type URIScheme = string;
export type UnhealthyPodEvictionPolicyType = string;
export type UniqueVolumeName = string;
export type UnsatisfiableConstraintAction = string;
