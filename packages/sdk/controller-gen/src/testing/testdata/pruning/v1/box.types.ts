import type { JSONValue, KubeObject, ObjectMeta, RawExtension } from "@operator-path/controller-gen/types";

/**
 * Open keeps what it does not know.
 * +kubebuilder:pruning:PreserveUnknownFields
 */
export interface Open {
  known?: string;
}

export interface BoxSpec {
  // +kubebuilder:pruning:PreserveUnknownFields
  loose?: Closed;
  open?: Open;
  // +kubebuilder:validation:XPreserveUnknownFields
  raw?: Record<string, string>;
  // +kubebuilder:validation:EmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  object?: RawExtension;
  // +kubebuilder:validation:XEmbeddedResource
  other?: RawExtension;
  /**
   * Schemaless has what the markers say.
   * +kubebuilder:validation:Schemaless
   * +kubebuilder:pruning:PreserveUnknownFields
   * +kubebuilder:validation:Type=object
   */
  schemaless?: unknown;
  // +kubebuilder:validation:Schemaless
  nothing?: { anything: Map<string, number> };
  // +kubebuilder:validation:Type=integer
  // +kubebuilder:validation:Format=int64
  // +kubebuilder:validation:Minimum=1
  retyped?: string;
  values?: JSONValue[];
  template?: ObjectMeta;
}

export interface Closed {
  known?: string;
}

export interface Box extends KubeObject {
  spec?: BoxSpec;
}
