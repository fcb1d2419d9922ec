// Package v1alpha1 is the spoke of page 3, with its webhooks, in Go: read it beside api/v1alpha1.
package v1alpha1

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// MemcachedSpec defines the desired state of Memcached
// +kubebuilder:validation:XValidation:rule="!has(self.memory) || self.size * self.memory <= 1024",message="more than 1024 MiB in all"
type MemcachedSpec struct {
	// +kubebuilder:validation:Minimum=0
	Size int32 `json:"size"`
	// +kubebuilder:validation:Minimum=1
	// +optional
	Memory *int32 `json:"memory,omitempty"`
}

// MemcachedStatus defines the observed state of Memcached
type MemcachedStatus struct {
	// +optional
	Nodes []string `json:"nodes,omitempty"`
}

// Memcached is the Schema for the memcacheds API
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   MemcachedSpec   `json:"spec"`
	Status MemcachedStatus `json:"status,omitzero"`
}

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
