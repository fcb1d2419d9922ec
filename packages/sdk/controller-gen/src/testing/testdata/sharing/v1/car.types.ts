import type { int32 } from "@operator-path/controller-gen/types";

/** Car drives. */
export interface Car {
  doors: int32;
}
