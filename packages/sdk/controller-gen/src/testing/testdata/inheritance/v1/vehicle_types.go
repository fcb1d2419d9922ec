package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Base is common.
type Base struct {
	// Name of it.
	Name string `json:"name"`
	// +kubebuilder:validation:Minimum=1
	Wheels int32 `json:"wheels,omitempty"`
}

// Painted has a color.
// +kubebuilder:validation:XValidation:rule="self.color.size() > 0"
type Painted struct {
	Base  `json:",inline"`
	Color string `json:"color"`
}

// Speed is bounded.
// +kubebuilder:validation:Minimum=0
// +kubebuilder:validation:Maximum=300
type Speed int32

// Code is short.
// +kubebuilder:validation:Pattern=`^[A-Z]+$`
// +kubebuilder:validation:MaxLength=8
// +kubebuilder:validation:Format=hostname
type Code string

// Serial is a code again.
type Serial Code

type VehicleSpec struct {
	Painted `json:",inline"`
	// Speed here is lower.
	// +kubebuilder:validation:Maximum=120
	Speed Speed `json:"speed"`
	Fast  Speed `json:"fast,omitempty"`
	// +kubebuilder:validation:Pattern=`^[A-F]+$`
	// +kubebuilder:validation:MaxLength=4
	// +kubebuilder:validation:Format=hostname
	Code   Code   `json:"code"`
	Serial Serial `json:"serial,omitempty"`
	// +kubebuilder:validation:Enum=ONE;TWO
	Chosen Code `json:"chosen,omitempty"`
	// Base of another.
	Other Base      `json:"other,omitempty"`
	Plain Base      `json:"plain,omitempty"`
	List  []Painted `json:"list,omitempty"`
}

type Vehicle struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec VehicleSpec `json:"spec,omitempty"`
}
