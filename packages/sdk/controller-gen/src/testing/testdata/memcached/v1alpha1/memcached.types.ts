import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  /**
   * Size is the size of the memcached deployment
   * +kubebuilder:validation:Minimum=0
   */
  size: int32;
}

/** MemcachedStatus defines the observed state of Memcached */
export interface MemcachedStatus {
  /** Nodes are the names of the memcached pods */
  nodes: string[];
}

/**
 * Memcached is the Schema for the memcacheds API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:JSONPath=".spec.size",name=Desired,type=string
 * +kubebuilder:printcolumn:JSONPath=".status.nodes",name=Nodes,type=string
 */
export interface Memcached extends KubeObject {
  spec?: MemcachedSpec;
  status?: MemcachedStatus;
}
