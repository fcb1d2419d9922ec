import type { Bytes, KubeObject } from "@operator-path/controller-gen/types";

export interface LabelSpec {
  // +kubebuilder:validation:MinLength=1
  // +kubebuilder:validation:MaxLength=63
  // +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
  name: string;
  // +kubebuilder:validation:Pattern="^\\d+(\\.\\d+)?$"
  version: string;
  // +kubebuilder:validation:Pattern=^bare-[a-z]+$
  bare: string;
  // +kubebuilder:validation:Format=date-time
  // +kubebuilder:validation:Type=string
  when: string;
  // +kubebuilder:validation:Enum=yes;no;"on";off;"1";"1.5";"";null;"a b";"a: b";"#c";"- d";"2026-11-21";"0x1f";"12:30:45";".5";"~"
  word?: string;
  // +kubebuilder:title="A title"
  // +kubebuilder:example="hello, world"
  // +kubebuilder:default="it's"
  text?: string | null;
  // +kubebuilder:externalDocs:url="https://example.com/docs",description="More of it"
  documented?: string;
  // +kubebuilder:externalDocs:url="https://example.com/bare"
  linked?: string;
  data?: Bytes;
  // +kubebuilder:default="  spaces  "
  spaces?: string;
  // +kubebuilder:default="line one\nline two\n"
  lines?: string;
  // +kubebuilder:default="tab\there"
  tab?: string;
  // +kubebuilder:default="caf\u00e9 \"quoted\" back\\slash"
  escaped?: string;
  // +kubebuilder:validation:Format=password
  // +kubebuilder:validation:MinLength=0
  secret?: string;
}

/** Label is text. */
export interface Label extends KubeObject {
  /** Spec says which. */
  spec?: LabelSpec;
}
