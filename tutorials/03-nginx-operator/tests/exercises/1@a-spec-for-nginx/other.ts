import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** OvhNginxSpec defines the desired state of OvhNginx */
export interface OvhNginxSpec {
  /**
   * port is where people find the page
   *
   * +kubebuilder:validation:ExclusiveMinimum=true
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=65535
   */
  port: int32;
  /**
   * replicaCount is the number of Pods
   *
   * +kubebuilder:validation:XValidation:rule="self >= 0",message="there are no negative Pods"
   */
  replicaCount: int32;
}

/** OvhNginxStatus defines the observed state of OvhNginx */
// biome-ignore lint/suspicious/noEmptyInterface: fields are to come
export interface OvhNginxStatus {}

/**
 * OvhNginx is the Schema for the ovhnginxes API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface OvhNginx extends KubeObject {
  spec: OvhNginxSpec;
  status?: OvhNginxStatus;
}
