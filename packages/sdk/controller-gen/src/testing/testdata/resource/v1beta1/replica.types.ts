import type { int32, KubeObject } from "@operator-path/controller-gen/types";

export interface ReplicaSpec {
  count: int32;
}

/**
 * Replica was counted.
 * +kubebuilder:resource:path=replicaz,singular=replika,shortName=rp;rep,categories=all;examples,scope=Cluster
 * +kubebuilder:deprecatedversion:warning="resource.example.com/v1beta1 Replica is old; use v1"
 */
export interface Replica extends KubeObject {
  spec?: ReplicaSpec;
}
