import { omittedZeros } from "../../generated/omitted-zeros.ts";
import type { JsonValue } from "../../lib/json/json.ts";
import type { Schema } from "../schema/schema.ts";

// What Go's encoding/json writes of a field that nobody has set depends on its type in Go, which OpenAPI does not tell.

const structsWithTimes = /\.(\w+Condition|ContainerStateRunning|ContainerStateTerminated)$/;

/** A time that is no pointer: where nobody has set it, it is written as null. OpenAPI does not tell them apart. */
export function isWrittenTime({ ref }: Schema, property: Schema): boolean {
  return property.format === "date-time" && ref !== undefined && structsWithTimes.test(ref);
}

export function isZero(value: JsonValue | undefined): value is "" | 0 | false {
  return value === "" || value === 0 || value === false;
}

const omitted = new Map<string, Set<string>>();

/** `omitempty` of a field that is no pointer. */
export function omitsZero({ ref = "" }: Schema, name: string): boolean {
  let names = omitted.get(ref);
  if (names === undefined) {
    names = new Set(Object.hasOwn(omittedZeros, ref) ? omittedZeros[ref]?.split(" ") : []);
    omitted.set(ref, names);
  }
  return names.has(name);
}
