package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GaugeSpec holds numbers of every kind.
type GaugeSpec struct {
	Plain int   `json:"plain"`
	Tiny  int8  `json:"tiny"`
	Small int16 `json:"small"`
	// +kubebuilder:validation:Minimum=-5
	// +kubebuilder:validation:Maximum=2147483647
	Normal int32 `json:"normal"`
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:ExclusiveMaximum=false
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=9007199254740991
	Large    int64 `json:"large"`
	Unsigned uint  `json:"unsigned"`
	// +kubebuilder:validation:Maximum=255
	Byte    uint8  `json:"byte"`
	Port    uint16 `json:"port"`
	Natural uint32 `json:"natural"`
	Huge    uint64 `json:"huge"`
	// +kubebuilder:validation:MultipleOf=5
	Step int32 `json:"step,omitempty"`
	// +kubebuilder:validation:MultipleOf=0.5
	// +kubebuilder:validation:Minimum=-0.25
	// +kubebuilder:validation:Maximum=1234567.5
	Single float32 `json:"single"`
	// +kubebuilder:validation:Minimum=0.00001
	// +kubebuilder:validation:Maximum=1e21
	// +kubebuilder:example=3.14
	// +kubebuilder:default=1.0
	Double   float64   `json:"double"`
	Flag     bool      `json:"flag"`
	Percent  Percent   `json:"percent,omitempty"`
	Percents []Percent `json:"percents,omitempty"`
}

// Percent is a part of a hundred.
// +kubebuilder:validation:Minimum=0
// +kubebuilder:validation:Maximum=100
type Percent int32

// Gauge measures.
type Gauge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GaugeSpec `json:"spec"`
}
