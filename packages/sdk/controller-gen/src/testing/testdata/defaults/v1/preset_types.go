package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Limits bound.
type Limits struct {
	// +kubebuilder:default=10
	Most int32 `json:"most,omitempty"`
	// +kubebuilder:default=-1
	Least int32 `json:"least,omitempty"`
}

// Color of it.
// +kubebuilder:validation:Enum=red;blue
type Color string

type PresetSpec struct {
	// +kubebuilder:default=3
	Number int32 `json:"number"`
	// +kubebuilder:default=true
	Yes bool `json:"yes,omitempty"`
	// +kubebuilder:default=false
	No bool `json:"no,omitempty"`
	// +kubebuilder:default=ClusterIP
	Bare string `json:"bare,omitempty"`
	// +kubebuilder:default="10m"
	Quoted string `json:"quoted,omitempty"`
	// +kubebuilder:default=""
	Empty string `json:"empty,omitempty"`
	// +kubebuilder:default={}
	Limits Limits `json:"limits,omitempty"`
	// +kubebuilder:default={most: 5}
	Tight Limits `json:"tight,omitempty"`
	// +kubebuilder:default={}
	NoItems []string `json:"noItems,omitempty"`
	// +kubebuilder:default={80,443}
	Ports []int32 `json:"ports,omitempty"`
	// +kubebuilder:default={{most: 1},{most: 2, least: 0}}
	Several []Limits `json:"several,omitempty"`
	// +default="json"
	JSON string `json:"json,omitempty"`
	// +default=[1,2]
	JSONList []int32 `json:"jsonList,omitempty"`
	// +default={"policy": "delete", "nested": {"b": null, "a": [true]}}
	JSONMap map[string]string `json:"jsonMap,omitempty"`
	// +default="kubernetes"
	// +kubebuilder:default="kubebuilder"
	Both string `json:"both,omitempty"`
	// +default=ref(Somewhere)
	Reference string `json:"reference,omitempty"`
	// +kubebuilder:default=blue
	Color Color `json:"color,omitempty"`
	// +kubebuilder:default=null
	Null string `json:"null,omitempty"`
	// +kubebuilder:default=1e3
	Exponent string `json:"exponent,omitempty"`
}

type Preset struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={number: 4}
	Spec PresetSpec `json:"spec,omitempty"`
}
