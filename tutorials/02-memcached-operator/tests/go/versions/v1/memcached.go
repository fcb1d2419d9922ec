// Package v1 is the hub of page 3, in Go: read it beside api/v1.
package v1

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// MemcachedSpec defines the desired state of Memcached
// +kubebuilder:validation:XValidation:rule="!has(self.memory) || self.replicas * self.memory <= 1024",message="more than 1024 MiB in all"
type MemcachedSpec struct {
	// +kubebuilder:validation:Minimum=0
	Replicas int32 `json:"replicas"`
	// +kubebuilder:validation:Minimum=1
	// +optional
	Memory *int32 `json:"memory,omitempty"`
	// +kubebuilder:validation:Enum=Evict;Error
	// +optional
	WhenFull string `json:"whenFull,omitempty"`
}

// MemcachedStatus defines the observed state of Memcached
type MemcachedStatus struct {
	// +optional
	Nodes []string `json:"nodes,omitempty"`
}

// Memcached is the Schema for the memcacheds API
// +kubebuilder:storageversion
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   MemcachedSpec   `json:"spec"`
	Status MemcachedStatus `json:"status,omitzero"`
}

// Hub marks the version that all others are converted to and from.
func (*Memcached) Hub() {}

// DeepCopyObject copies a Memcached. controller-gen usually writes it.
func (m *Memcached) DeepCopyObject() runtime.Object {
	out := *m
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if m.Spec.Memory != nil {
		memory := *m.Spec.Memory
		out.Spec.Memory = &memory
	}
	out.Status.Nodes = slices.Clone(m.Status.Nodes)
	return &out
}
