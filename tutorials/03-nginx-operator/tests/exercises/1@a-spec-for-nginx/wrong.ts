import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** OvhNginxSpec defines the desired state of OvhNginx */
export interface OvhNginxSpec {
  /** replicaCount is the number of Pods */
  replicaCount: int32;
  /**
   * port is where people find the page
   *
   * +kubebuilder:validation:Minimum=1
   */
  port?: int32;
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
