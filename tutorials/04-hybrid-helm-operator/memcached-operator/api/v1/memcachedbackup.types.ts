import type { int32, KubeObject } from "@operator-path/controller-gen/types";

// Yours to edit: `make generate manifests` after it. +kubebuilder markers say what a type cannot.

/** MemcachedBackupSpec defines the desired state of MemcachedBackup */
export interface MemcachedBackupSpec {
  /**
   * size is the number of memcached Pods
   *
   * +kubebuilder:validation:Minimum=0
   */
  size: int32;
}

/** MemcachedBackupStatus defines the observed state of MemcachedBackup */
export interface MemcachedBackupStatus {
  /** nodes are the names of the memcached Pods */
  nodes: string[];
}

/**
 * MemcachedBackup is the Schema for the memcachedbackups API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=".spec.size"
 * +kubebuilder:printcolumn:name=Nodes,type=string,JSONPath=".status.nodes"
 */
export interface MemcachedBackup extends KubeObject {
  spec: MemcachedBackupSpec;
  status?: MemcachedBackupStatus;
}
