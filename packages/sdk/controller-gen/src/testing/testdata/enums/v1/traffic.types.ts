import type { KubeObject } from "@operator-path/controller-gen/types";

/** Light is what a driver sees. */
export type Light = "red" | "amber" | "green";

/** Lane counts from the kerb. */
export type Lane = 1 | 2 | 3;

/**
 * Mode of the junction.
 * +k8s:enum
 */
export type Mode = "Normal" | "Blink" | "AllStop";

export interface TrafficSpec {
  /**
   * Light overrides.
   * +kubebuilder:default=red
   */
  light?: Light;
  lights?: Light[];
  byRoad?: Record<string, Light>;
  lane?: Lane;
  mode: Mode;
  /** Policy is said in place. */
  policy: "Allow" | "Forbid" | "Replace";
  offset?: -1 | 0 | 1;
  kind: "only";
}

export interface Traffic extends KubeObject {
  spec?: TrafficSpec;
}
