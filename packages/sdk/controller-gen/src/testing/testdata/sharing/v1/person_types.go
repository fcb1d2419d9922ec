package v1

import (
	"example.com/testdata/sharing/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type PersonSpec struct {
	Home shared.Address `json:"home"`
	// Work is where days go.
	Work    *shared.Address  `json:"work,omitempty"`
	Visited []shared.Country `json:"visited,omitempty"`
	Car     Car              `json:"car,omitempty"`
}

type Person struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PersonSpec `json:"spec,omitempty"`
}
