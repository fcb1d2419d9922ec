import type {
  float32,
  float64,
  int,
  int8,
  int16,
  int32,
  int64,
  KubeObject,
  uint,
  uint8,
  uint16,
  uint32,
  uint64,
} from "@operator-path/controller-gen/types";

/** GaugeSpec holds numbers of every kind. */
export interface GaugeSpec {
  plain: int;
  tiny: int8;
  small: int16;
  // +kubebuilder:validation:Minimum=-5
  // +kubebuilder:validation:Maximum=2147483647
  normal: int32;
  // +kubebuilder:validation:ExclusiveMinimum=true
  // +kubebuilder:validation:ExclusiveMaximum=false
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:Maximum=9007199254740991
  large: int64;
  unsigned: uint;
  /** +kubebuilder:validation:Maximum=255 */
  byte: uint8;
  port: uint16;
  natural: uint32;
  huge: uint64;
  // +kubebuilder:validation:MultipleOf=5
  step?: int32;
  // +kubebuilder:validation:MultipleOf=0.5
  // +kubebuilder:validation:Minimum=-0.25
  // +kubebuilder:validation:Maximum=1234567.5
  single: float32;
  // +kubebuilder:validation:Minimum=0.00001
  // +kubebuilder:validation:Maximum=1e21
  // +kubebuilder:example=3.14
  // +kubebuilder:default=1.0
  double: float64;
  flag: boolean;
  percent?: Percent;
  percents?: Percent[];
}

/**
 * Percent is a part of a hundred.
 * +kubebuilder:validation:Minimum=0
 * +kubebuilder:validation:Maximum=100
 */
export type Percent = int32;

/** Gauge measures. */
export interface Gauge extends KubeObject {
  spec: GaugeSpec;
}
