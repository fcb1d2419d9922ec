package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Light is what a driver sees.
// +kubebuilder:validation:Enum=red;amber;green
type Light string

// Lane counts from the kerb.
// +kubebuilder:validation:Enum=1;2;3
type Lane int

// Mode of the junction.
// +k8s:enum
type Mode string

const (
	ModeNormal  Mode = "Normal"
	ModeBlink   Mode = "Blink"
	ModeAllStop Mode = "AllStop"
)

type TrafficSpec struct {
	// Light overrides.
	// +kubebuilder:default=red
	Light  Light            `json:"light,omitempty"`
	Lights []Light          `json:"lights,omitempty"`
	ByRoad map[string]Light `json:"byRoad,omitempty"`
	Lane   Lane             `json:"lane,omitempty"`
	Mode   Mode             `json:"mode"`
	// Policy is said in place.
	// +kubebuilder:validation:Enum=Allow;Forbid;Replace
	Policy string `json:"policy"`
	// +kubebuilder:validation:Enum=-1;0;1
	Offset int `json:"offset,omitempty"`
	// +kubebuilder:validation:Enum={"only"}
	Kind string `json:"kind"`
}

type Traffic struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TrafficSpec `json:"spec,omitempty"`
}
