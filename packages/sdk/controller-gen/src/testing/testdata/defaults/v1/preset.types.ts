import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** Limits bound. */
export interface Limits {
  // +kubebuilder:default=10
  most?: int32;
  // +kubebuilder:default=-1
  least?: int32;
}

/** Color of it. */
export type Color = "red" | "blue";

export interface PresetSpec {
  // +kubebuilder:default=3
  number: int32;
  // +kubebuilder:default=true
  yes?: boolean;
  // +kubebuilder:default=false
  no?: boolean;
  // +kubebuilder:default=ClusterIP
  bare?: string;
  // +kubebuilder:default="10m"
  quoted?: string;
  // +kubebuilder:default=""
  empty?: string;
  // +kubebuilder:default={}
  limits?: Limits;
  // +kubebuilder:default={most: 5}
  tight?: Limits;
  // +kubebuilder:default={}
  noItems?: string[];
  // +kubebuilder:default={80,443}
  ports?: int32[];
  // +kubebuilder:default={{most: 1},{most: 2, least: 0}}
  several?: Limits[];
  // +default="json"
  json?: string;
  // +default=[1,2]
  jsonList?: int32[];
  // +default={"policy": "delete", "nested": {"b": null, "a": [true]}}
  jsonMap?: Record<string, string>;
  // +default="kubernetes"
  // +kubebuilder:default="kubebuilder"
  both?: string;
  // +default=ref(Somewhere)
  reference?: string;
  // +kubebuilder:default=blue
  color?: Color;
  // +kubebuilder:default=null
  null?: string;
  // +kubebuilder:default=1e3
  exponent?: string;
}

export interface Preset extends KubeObject {
  // +kubebuilder:default={number: 4}
  spec?: PresetSpec;
}
