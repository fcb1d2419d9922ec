import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** Base is common. */
export interface Base {
  /** Name of it. */
  name: string;
  // +kubebuilder:validation:Minimum=1
  wheels?: int32;
}

/**
 * Painted has a color.
 * +kubebuilder:validation:XValidation:rule="self.color.size() > 0"
 */
export interface Painted extends Base {
  color: string;
}

/**
 * Speed is bounded.
 * +kubebuilder:validation:Minimum=0
 * +kubebuilder:validation:Maximum=300
 */
export type Speed = int32;

/**
 * Code is short.
 * +kubebuilder:validation:Pattern=`^[A-Z]+$`
 * +kubebuilder:validation:MaxLength=8
 * +kubebuilder:validation:Format=hostname
 */
export type Code = string;

/** Serial is a code again. */
export type Serial = Code;

export interface VehicleSpec extends Painted {
  /**
   * Speed here is lower.
   * +kubebuilder:validation:Maximum=120
   */
  speed: Speed;
  fast?: Speed;
  // +kubebuilder:validation:Pattern=`^[A-F]+$`
  // +kubebuilder:validation:MaxLength=4
  // +kubebuilder:validation:Format=hostname
  code: Code;
  serial?: Serial;
  // +kubebuilder:validation:Enum=ONE;TWO
  chosen?: Code;
  /** Base of another. */
  other?: Base;
  plain?: Base;
  list?: Painted[];
}

export interface Vehicle extends KubeObject {
  spec?: VehicleSpec;
}
