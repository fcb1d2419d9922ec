package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type ReplicaSpec struct {
	Replicas int32  `json:"replicas"`
	Phase    string `json:"phase,omitempty"`
}

type ReplicaStatus struct {
	Replicas int32  `json:"replicas"`
	Selector string `json:"selector,omitempty"`
}

// Replica is scaled.
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=replicaz,singular=replika,shortName=rp;rep,categories=all;examples,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Current",type="integer",JSONPath=".status.replicas",description="how many there are",format=int32,priority=1
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
// +kubebuilder:selectablefield:JSONPath=".spec.phase"
// +kubebuilder:selectablefield:JSONPath=`.spec.replicas`
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=https://example.com/1";"other=a=b"
// +kubebuilder:metadata:labels="app=replica"
// +kubebuilder:metadata:labels=part-of=tests
// +kubebuilder:storageversion
type Replica struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ReplicaSpec   `json:"spec,omitempty"`
	Status ReplicaStatus `json:"status,omitempty"`
}
