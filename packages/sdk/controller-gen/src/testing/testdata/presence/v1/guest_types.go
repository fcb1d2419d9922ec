package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type GuestSpec struct {
	Plain string `json:"plain"`
	// +kubebuilder:validation:Required
	Required string `json:"required"`
	// +required
	AlsoRequired string `json:"alsoRequired,omitempty"`
	// +k8s:required
	K8sRequired string `json:"k8sRequired"`
	// +optional
	Optional string `json:"optional"`
	// +k8s:optional
	K8sOptional string `json:"k8sOptional"`
	// +kubebuilder:validation:Optional
	// +required
	Both      string `json:"both"`
	OmitEmpty string `json:"omitEmpty,omitempty"`
}

type Guest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	// +required
	Spec GuestSpec `json:"spec"`
}
