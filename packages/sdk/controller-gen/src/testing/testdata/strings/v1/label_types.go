package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type LabelSpec struct {
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`
	// +kubebuilder:validation:Pattern="^\\d+(\\.\\d+)?$"
	Version string `json:"version"`
	// +kubebuilder:validation:Pattern=^bare-[a-z]+$
	Bare string `json:"bare"`
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:Type=string
	When string `json:"when"`
	// +kubebuilder:validation:Enum=yes;no;"on";off;"1";"1.5";"";null;"a b";"a: b";"#c";"- d";"2026-11-21";"0x1f";"12:30:45";".5";"~"
	Word string `json:"word,omitempty"`
	// +kubebuilder:title="A title"
	// +kubebuilder:example="hello, world"
	// +kubebuilder:default="it's"
	// +nullable
	Text *string `json:"text,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/docs",description="More of it"
	Documented string `json:"documented,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/bare"
	Linked string `json:"linked,omitempty"`
	Data   []byte `json:"data,omitempty"`
	// +kubebuilder:default="  spaces  "
	Spaces string `json:"spaces,omitempty"`
	// +kubebuilder:default="line one\nline two\n"
	Lines string `json:"lines,omitempty"`
	// +kubebuilder:default="tab\there"
	Tab string `json:"tab,omitempty"`
	// +kubebuilder:default="caf\u00e9 \"quoted\" back\\slash"
	Escaped string `json:"escaped,omitempty"`
	// +kubebuilder:validation:Format=password
	// +kubebuilder:validation:MinLength=0
	Secret string `json:"secret,omitempty"`
}

// Label is text.
type Label struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says which.
	Spec LabelSpec `json:"spec,omitempty"`
}
