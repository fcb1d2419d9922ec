import type { int32, KubeObject } from "@operator-path/controller-gen/types";

export interface ReplicaSpec {
  replicas: int32;
  phase?: string;
}

export interface ReplicaStatus {
  replicas: int32;
  selector?: string;
}

/**
 * Replica is scaled.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:path=replicaz,singular=replika,shortName=rp;rep,categories=all;examples,scope=Cluster
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
 * +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`
 * +kubebuilder:printcolumn:name="Current",type="integer",JSONPath=".status.replicas",description="how many there are",format=int32,priority=1
 * +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
 * +kubebuilder:selectablefield:JSONPath=".spec.phase"
 * +kubebuilder:selectablefield:JSONPath=`.spec.replicas`
 * +kubebuilder:metadata:annotations="api-approved.kubernetes.io=https://example.com/1";"other=a=b"
 * +kubebuilder:metadata:labels="app=replica"
 * +kubebuilder:metadata:labels=part-of=tests
 * +kubebuilder:storageversion
 */
export interface Replica extends KubeObject {
  spec?: ReplicaSpec;
  status?: ReplicaStatus;
}
