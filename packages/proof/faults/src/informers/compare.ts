import { isDeepStrictEqual } from "node:util";
import { keyFor, nameOf, type SimulatedObject } from "../server/objects.ts";

export interface Comparison {
  /** Compares the metadata alone. */
  metadataOnly: boolean;
  managedFields: boolean;
}

/** Returns the first difference between two sets of objects, in any order; undefined if they are equal. */
export function difference(
  found: Iterable<SimulatedObject>,
  truth: Iterable<SimulatedObject>,
  how: Comparison,
): string | undefined {
  const have = byKey(found);
  const want = byKey(truth);
  for (const [key, object] of want) {
    const other = have.get(key);
    if (!other) return `${key} ${id(object)} is missing`;
    if (id(other) !== id(object)) return `${key} is ${id(other)} instead of ${id(object)}`;
    if (!how.managedFields && other.metadata?.managedFields) return `${key} ${id(object)} has managedFields`;
    const [a, b] = [essence(other, how), essence(object, how)];
    if (!isDeepStrictEqual(a, b)) {
      return `${key} ${id(object)} differs: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`;
    }
  }
  for (const [key, object] of have) if (!want.has(key)) return `${key} ${id(object)} should be deleted`;
  return undefined;
}

function byKey(objects: Iterable<SimulatedObject>): Map<string, SimulatedObject> {
  return new Map(
    [...objects].map((object) => {
      const { namespace, name } = nameOf(object);
      return [keyFor(namespace, name), object];
    }),
  );
}

const id = ({ metadata }: SimulatedObject) => `${metadata?.uid}@${metadata?.resourceVersion}`;

function essence(object: SimulatedObject, { metadataOnly, managedFields }: Comparison): unknown {
  const { managedFields: managed, ...metadata } = object.metadata ?? {};
  const kept = managedFields ? { ...metadata, managedFields: managed } : metadata;
  const { kind: _, apiVersion: __, ...rest } = object;
  return metadataOnly ? { metadata: kept } : { ...rest, metadata: kept };
}
