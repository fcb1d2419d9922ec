import type { Resource } from "@operator-path/client";
import { type SimulatedObject, sorted } from "./objects.ts";

/** The format of a resource's objects on the wire. */
export interface Encoding {
  list(metadata: object, items: SimulatedObject[]): Uint8Array;
  /** Returns one line of a watch. */
  event(type: string, object: object): Uint8Array;
  /** Returns a BOOKMARK line. The one that ends the initial events carries an annotation. */
  bookmark(version: number, endsInitialEvents?: boolean): Uint8Array;
  object(object: SimulatedObject): Uint8Array;
}

/**
 * Built-in kinds have the field order of Go's structs, and the items of their lists have no apiVersion and
 * kind. Custom resources are maps to the server, so their fields are sorted, with metadata behind the items.
 * Go escapes `<`, `>` and `&`.
 */
export function encodingOf(resource: Resource, builtIn: boolean, metadataOnly: boolean): Encoding {
  const types = metadataOnly
    ? { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }
    : {
        kind: resource.kind,
        apiVersion: resource.group === "" ? resource.version : `${resource.group}/${resource.version}`,
      };
  const shape = (object: SimulatedObject): object => {
    const { kind: _, apiVersion: __, metadata, ...rest } = object;
    const whole = { ...types, metadata, ...(metadataOnly ? {} : rest) };
    return builtIn ? whole : sorted(whole);
  };
  const item = (object: SimulatedObject): object => {
    if (!builtIn || metadataOnly) return shape(object);
    const { kind: _, apiVersion: __, ...rest } = object;
    return rest;
  };
  return {
    list(metadata, items) {
      const list = {
        kind: `${types.kind}List`,
        apiVersion: types.apiVersion,
        metadata,
        items: items.map(item),
      };
      return bytes(
        builtIn ? list : { apiVersion: list.apiVersion, items: list.items, kind: list.kind, metadata },
      );
    },
    event: (type, object) =>
      bytes({ type, object: type === "ERROR" ? object : shape(object as SimulatedObject) }, "\n"),
    bookmark(version, endsInitialEvents = false) {
      const annotations = endsInitialEvents ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
      const metadata = { resourceVersion: String(version), creationTimestamp: null, ...annotations };
      return bytes({ type: "BOOKMARK", object: { ...types, metadata } }, "\n");
    },
    object: (object) => bytes(shape(object)),
  };
}

const escapes: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

function bytes(value: object, end = ""): Uint8Array {
  return Buffer.from(JSON.stringify(value).replace(/[<>&]/g, (character) => escapes[character] ?? "") + end);
}
