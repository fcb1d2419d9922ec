import type { Condition, int32, KubeObject } from "@operator-path/controller-gen/types";

// Yours to edit: `make generate manifests` after it. +kubebuilder markers say what a type cannot.

/** WebsiteSpec defines the desired state of Website */
export interface WebsiteSpec {
  /** text is the whole page */
  text: string;
  /**
   * replicas is the number of Pods that serve the page
   *
   * +kubebuilder:validation:Minimum=0
   */
  replicas: int32;
}

/** WebsiteStatus defines the observed state of Website */
export interface WebsiteStatus {
  /**
   * conditions describe the Website in the way of Kubernetes' own objects
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Website is the Schema for the websites API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Website extends KubeObject {
  spec: WebsiteSpec;
  status?: WebsiteStatus;
}
