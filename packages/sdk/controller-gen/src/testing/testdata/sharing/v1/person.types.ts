import type { KubeObject } from "@operator-path/controller-gen/types";
import type { Address } from "../shared/address.ts";
import type { Car, CountryCode } from "./index.ts";

export interface PersonSpec {
  home: Address;
  /** Work is where days go. */
  work?: Address;
  visited?: CountryCode[];
  car?: Car;
}

export interface Person extends KubeObject {
  spec?: PersonSpec;
}
