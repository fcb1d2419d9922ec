import type { Container, LabelSelector, PodTemplateSpec } from "@operator-path/client";
import type {
  Affinity,
  Condition,
  DeploymentStrategy,
  Duration,
  EnvVar,
  IngressSpec,
  IntOrString,
  JSONValue,
  KubeObject,
  LocalObjectReference,
  MetricSpec,
  MicroTime,
  NetworkPolicyPeer,
  ObjectMeta,
  ObjectReference,
  PersistentVolumeClaimSpec,
  PodDisruptionBudgetSpec,
  PolicyRule,
  Probe,
  Protocol,
  PullPolicy,
  Quantity,
  RawExtension,
  ResourceList,
  ResourceRequirements,
  SecretKeySelector,
  SecurityContext,
  ServiceSpec,
  Time,
  Toleration,
  TopologySpreadConstraint,
  Volume,
} from "@operator-path/controller-gen/types";

/** WorkloadSpec embeds what Kubernetes has. */
export interface WorkloadSpec {
  /** Template is a Pod's. */
  template: PodTemplateSpec;
  containers?: Container[];
  resources?: ResourceRequirements;
  limits?: ResourceList;
  selector?: LabelSelector;
  secret: SecretKeySelector;
  reference?: LocalObjectReference;
  objects?: ObjectReference[];
  affinity?: Affinity;
  tolerate?: Toleration[];
  spread?: TopologySpreadConstraint[];
  env?: EnvVar[];
  volumes?: Volume[];
  claim?: PersistentVolumeClaimSpec;
  security?: SecurityContext;
  probe?: Probe;
  pull?: PullPolicy;
  protocol?: Protocol;
  service?: ServiceSpec;
  ingress?: IngressSpec;
  peers?: NetworkPolicyPeer[];
  budget?: PodDisruptionBudgetSpec;
  rules?: PolicyRule[];
  metrics?: MetricSpec[];
  strategy?: DeploymentStrategy;
  /** Metadata of what is made. */
  metadata?: ObjectMeta;
  // +kubebuilder:default="1Gi"
  size?: Quantity;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern=`^[0-9]+%?$`
  surge?: IntOrString;
  port?: IntOrString;
  timeout?: Duration;
  raw?: RawExtension;
  json?: JSONValue;
}

export interface WorkloadStatus {
  /**
   * Conditions tell how it is.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
  started?: Time;
  seen?: MicroTime;
}

/**
 * Workload runs.
 * +kubebuilder:subresource:status
 */
export interface Workload extends KubeObject {
  spec?: WorkloadSpec;
  status?: WorkloadStatus;
}
