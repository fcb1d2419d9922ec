package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MemcachedBackupSpec defines the desired state of MemcachedBackup
type MemcachedBackupSpec struct {
	// size is the number of memcached Pods
	// +kubebuilder:validation:Minimum=0
	Size int32 `json:"size"`
}

// MemcachedBackupStatus defines the observed state of MemcachedBackup
type MemcachedBackupStatus struct {
	// nodes are the names of the memcached Pods
	Nodes []string `json:"nodes"`
}

// MemcachedBackup is the Schema for the memcachedbackups API
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=".spec.size"
// +kubebuilder:printcolumn:name=Nodes,type=string,JSONPath=".status.nodes"
type MemcachedBackup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec MemcachedBackupSpec `json:"spec"`
	// +optional
	Status MemcachedBackupStatus `json:"status,omitempty"`
}

// MemcachedBackupList is what a list of them comes in.
// +kubebuilder:object:root=true
type MemcachedBackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MemcachedBackup `json:"items"`
}
