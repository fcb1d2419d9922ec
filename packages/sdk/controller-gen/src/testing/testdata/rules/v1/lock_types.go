package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:validation:AtMostOneOf=pin;pattern
// +kubebuilder:validation:ExactlyOneOf=door;window
// +kubebuilder:validation:AtLeastOneOf=owner;landlord
// +kubebuilder:validation:AtMostOneOf=owner;landlord
// +kubebuilder:validation:XValidation:rule="!has(self.pin) || self.pin.size() > 3",message="a pin has four digits",reason="FieldValueInvalid",fieldPath=".pin"

// LockSpec keeps out.
type LockSpec struct {
	Pin      *string `json:"pin,omitempty"`
	Pattern  *string `json:"pattern,omitempty"`
	Door     *string `json:"door,omitempty"`
	Window   *string `json:"window,omitempty"`
	Owner    *string `json:"owner,omitempty"`
	Landlord *string `json:"landlord,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="stays"
	// +kubebuilder:validation:XValidation:rule="self.startsWith('k')",messageExpression="'not a key: ' + self",optionalOldSelf=true
	Key string `json:"key"`
	// +k8s:immutable
	// +required
	Port intstr.IntOrString `json:"port"`
	// +k8s:immutable
	// +optional
	Target intstr.IntOrString `json:"target,omitempty"`
	Inner  Inner              `json:"inner,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.a < 100"
	Outer Inner `json:"outer,omitempty"`
}

// +kubebuilder:validation:XValidation:rule=`self.a <= self.b`
type Inner struct {
	A int32 `json:"a"`
	B int32 `json:"b"`
}

// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'one'",message="there is one"
type Lock struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LockSpec `json:"spec,omitempty"`
}
