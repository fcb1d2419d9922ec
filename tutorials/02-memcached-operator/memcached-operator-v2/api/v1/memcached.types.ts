import type { int32, KubeObject } from "@operator-path/controller-gen/types";

// Yours to edit: `make generate manifests` after it. +kubebuilder markers say what a type cannot.

/**
 * MemcachedSpec defines the desired state of Memcached
 *
 * +kubebuilder:validation:XValidation:rule="!has(self.memory) || self.replicas * self.memory <= 1024",message="more than 1024 MiB in all"
 */
export interface MemcachedSpec {
  /**
   * replicas is the number of memcached Pods
   *
   * +kubebuilder:validation:Minimum=0
   */
  replicas: int32;
  /**
   * memory is what each Pod may use for its cache, in MiB
   *
   * +kubebuilder:validation:Minimum=1
   */
  memory?: int32;
  /** whenFull says what a full memcached does with a new entry: evict an old one (default), or return an error */
  whenFull?: "Evict" | "Error";
}

/** MemcachedStatus defines the observed state of Memcached */
export interface MemcachedStatus {
  /** nodes are the names of the memcached Pods */
  nodes: string[];
}

/**
 * Memcached is the Schema for the memcacheds API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:storageversion
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name=Desired,type=integer,JSONPath=".spec.replicas"
 * +kubebuilder:printcolumn:name=Nodes,type=string,JSONPath=".status.nodes"
 */
export interface Memcached extends KubeObject {
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}
