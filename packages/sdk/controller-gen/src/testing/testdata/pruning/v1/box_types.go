package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Open keeps what it does not know.
// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	Known string `json:"known,omitempty"`
}

type BoxSpec struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	Loose Closed `json:"loose,omitempty"`
	Open  Open   `json:"open,omitempty"`
	// +kubebuilder:validation:XPreserveUnknownFields
	Raw map[string]string `json:"raw,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Object runtime.RawExtension `json:"object,omitempty"`
	// +kubebuilder:validation:XEmbeddedResource
	Other runtime.RawExtension `json:"other,omitempty"`
	// Schemaless has what the markers say.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Type=object
	Schemaless apiextensionsv1.JSON `json:"schemaless,omitempty"`
	// +kubebuilder:validation:Schemaless
	Nothing Closed `json:"nothing,omitempty"`
	// +kubebuilder:validation:Type=integer
	// +kubebuilder:validation:Format=int64
	// +kubebuilder:validation:Minimum=1
	Retyped  string                 `json:"retyped,omitempty"`
	Values   []apiextensionsv1.JSON `json:"values,omitempty"`
	Template metav1.ObjectMeta      `json:"template,omitempty"`
}

type Closed struct {
	Known string `json:"known,omitempty"`
}

type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BoxSpec `json:"spec,omitempty"`
}
