package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Place is somewhere.
// +structType=atomic
type Place struct {
	Latitude  string `json:"latitude"`
	Longitude string `json:"longitude"`
}

// Name of a place.
// +kubebuilder:validation:MaxLength=40
type Name string

// Legend explains signs.
// +kubebuilder:validation:MinProperties=1
type Legend map[string]string

type AtlasSpec struct {
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=16
	// +mapType=atomic
	Labels map[string]string `json:"labels,omitempty"`
	// +mapType=granular
	Counts map[Name]int32               `json:"counts,omitempty"`
	Places map[string]Place             `json:"places,omitempty"`
	Routes map[string][]Name            `json:"routes,omitempty"`
	Deep   map[string]map[string]bool   `json:"deep,omitempty"`
	Sizes  map[string]resource.Quantity `json:"sizes,omitempty"`
	Legend Legend                       `json:"legend,omitempty"`
	// +structType=granular
	Center Place `json:"center"`
	// +kubebuilder:default={a: "1", b: {c: 2, "d e": {3, 4}}}
	Any map[string]string `json:"any,omitempty"`
}

// Atlas maps.
type Atlas struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec AtlasSpec `json:"spec,omitempty"`
}
