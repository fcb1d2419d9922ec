package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Book stands on a shelf.
type Book struct {
	Title    string `json:"title"`
	Language string `json:"language"`
	Pages    int32  `json:"pages,omitempty"`
}

// Tags are words.
// +listType=set
// +kubebuilder:validation:MaxItems=5
// +kubebuilder:validation:items:MaxLength=10
type Tags []string

type ShelfSpec struct {
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	// +listType=map
	// +listMapKey=title
	// +listMapKey=language
	Books []Book `json:"books"`
	// +kubebuilder:validation:UniqueItems=true
	Colors []string `json:"colors,omitempty"`
	// +listType=atomic
	// +kubebuilder:validation:items:Minimum=0
	// +kubebuilder:validation:items:MultipleOf=2
	// +kubebuilder:validation:items:XValidation:rule="self != 4",message="not four"
	Widths []int32 `json:"widths,omitempty"`
	// +kubebuilder:validation:items:Enum=a;b;c
	// +kubebuilder:validation:items:Pattern=`^[a-c]$`
	Letters []string `json:"letters,omitempty"`
	// Rows are lists of lists.
	Rows [][]int64 `json:"rows,omitempty"`
	// Words describe it.
	Words  Tags   `json:"words,omitempty"`
	Groups []Tags `json:"groups,omitempty"`
	// +kubebuilder:default={"x","y"}
	// +kubebuilder:example=p;q
	Preset []string `json:"preset,omitempty"`
}

type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShelfSpec `json:"spec,omitempty"`
}
