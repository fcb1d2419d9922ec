import type { IntOrString, int32, KubeObject } from "@operator-path/controller-gen/types";

// +kubebuilder:validation:AtMostOneOf=pin;pattern
// +kubebuilder:validation:ExactlyOneOf=door;window
// +kubebuilder:validation:AtLeastOneOf=owner;landlord
// +kubebuilder:validation:AtMostOneOf=owner;landlord
// +kubebuilder:validation:XValidation:rule="!has(self.pin) || self.pin.size() > 3",message="a pin has four digits",reason="FieldValueInvalid",fieldPath=".pin"

/** LockSpec keeps out. */
export interface LockSpec {
  pin?: string;
  pattern?: string;
  door?: string;
  window?: string;
  owner?: string;
  landlord?: string;
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="stays"
  // +kubebuilder:validation:XValidation:rule="self.startsWith('k')",messageExpression="'not a key: ' + self",optionalOldSelf=true
  key: string;
  // +k8s:immutable
  port: IntOrString;
  // +k8s:immutable
  target?: IntOrString;
  inner?: Inner;
  // +kubebuilder:validation:XValidation:rule="self.a < 100"
  outer?: Inner;
}

// +kubebuilder:validation:XValidation:rule=`self.a <= self.b`
export interface Inner {
  a: int32;
  b: int32;
}

// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'one'",message="there is one"
export interface Lock extends KubeObject {
  spec?: LockSpec;
}
