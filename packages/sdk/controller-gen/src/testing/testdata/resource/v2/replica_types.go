package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type ReplicaSpec struct {
	Count int32 `json:"count"`
}

// Replica was counted.
// +kubebuilder:resource:path=replicaz,singular=replika,shortName=rp;rep,categories=all;examples,scope=Cluster
// +kubebuilder:skipversion
type Replica struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ReplicaSpec `json:"spec,omitempty"`
}
