import type { int32, KubeObject } from "@operator-path/controller-gen/types";

// Yours to edit: `make generate manifests` after it. +kubebuilder markers say what a type cannot.

/**
 * Size is a number of Pods
 *
 * +kubebuilder:validation:Minimum=0
 */
export type Size = int32;

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  /** foo is an example field of Memcached. Replace it by your own */
  foo?: string;
  /** +kubebuilder:validation:Maximum=1000 */
  size?: Size;
}

/** MemcachedStatus defines the observed state of Memcached */
// biome-ignore lint/suspicious/noEmptyInterface: fields are to come
export interface MemcachedStatus {}

/**
 * Memcached is the Schema for the memcacheds API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:JSONPath=".spec.size",name=Desired,type=integer,description="the number of Pods"
 */
export interface Memcached extends KubeObject {
  spec?: MemcachedSpec;
  status?: MemcachedStatus;
}
