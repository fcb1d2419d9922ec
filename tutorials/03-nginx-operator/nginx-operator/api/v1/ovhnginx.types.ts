import type { Condition, int32, KubeObject } from "@operator-path/controller-gen/types";

// Yours to edit: `make generate manifests` after it. +kubebuilder markers say what a type cannot.

/** OvhNginxSpec defines the desired state of OvhNginx */
export interface OvhNginxSpec {
  /**
   * replicaCount is the number of replicas for the Nginx Pods
   *
   * +kubebuilder:validation:Minimum=0
   */
  replicaCount: int32;
  /**
   * port is the exposed port for the Nginx server
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   */
  port: int32;
  /**
   * version is the version of Nginx
   *
   * +kubebuilder:validation:Pattern=`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`
   * +kubebuilder:default="1.29-alpine"
   */
  version?: string;
}

/** OvhNginxStatus defines the observed state of OvhNginx */
export interface OvhNginxStatus {
  /** readyReplicas is the number of Pods that serve the page */
  readyReplicas: int32;
  /** address is where the load balancer listens. It is missing while there is no load balancer */
  address?: string;
  /**
   * conditions report the state in the way of Kubernetes' own objects
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * OvhNginx is the Schema for the ovhnginxes API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.replicaCount,statuspath=.status.readyReplicas
 * +kubebuilder:printcolumn:name=Ready,type=integer,JSONPath=".status.readyReplicas"
 * +kubebuilder:printcolumn:name=Address,type=string,JSONPath=".status.address"
 */
export interface OvhNginx extends KubeObject {
  spec: OvhNginxSpec;
  status?: OvhNginxStatus;
}
