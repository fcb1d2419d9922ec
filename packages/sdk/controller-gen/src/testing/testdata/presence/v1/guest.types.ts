import type { KubeObject } from "@operator-path/controller-gen/types";

export interface GuestSpec {
  plain: string;
  // +kubebuilder:validation:Required
  required: string;
  // +required
  alsoRequired?: string;
  // +k8s:required
  k8sRequired: string;
  // +optional
  optional: string;
  // +k8s:optional
  k8sOptional: string;
  // +kubebuilder:validation:Optional
  // +required
  both: string;
  omitEmpty?: string;
}

export interface Guest extends KubeObject {
  // +required
  spec: GuestSpec;
}
