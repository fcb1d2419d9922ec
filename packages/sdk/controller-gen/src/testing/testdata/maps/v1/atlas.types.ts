import type { int32, KubeObject, Quantity } from "@operator-path/controller-gen/types";

/**
 * Place is somewhere.
 * +structType=atomic
 */
export interface Place {
  latitude: string;
  longitude: string;
}

/**
 * Name of a place.
 * +kubebuilder:validation:MaxLength=40
 */
export type Name = string;

/**
 * Legend explains signs.
 * +kubebuilder:validation:MinProperties=1
 */
export type Legend = { [sign: string]: string };

export interface AtlasSpec {
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=16
  // +mapType=atomic
  labels?: Record<string, string>;
  // +mapType=granular
  counts?: Record<Name, int32>;
  places?: { [name: string]: Place };
  routes?: Record<string, Name[]>;
  deep?: Record<string, Record<string, boolean>>;
  sizes?: Record<string, Quantity>;
  legend?: Legend;
  // +structType=granular
  center: Place;
  // +kubebuilder:default={a: "1", b: {c: 2, "d e": {3, 4}}}
  any?: Record<string, string>;
}

/** Atlas maps. */
export interface Atlas extends KubeObject {
  spec?: AtlasSpec;
}
