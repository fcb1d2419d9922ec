import type { ApiObject } from "../json.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { groupVersion, type ResourceType } from "../types/resource-type.ts";
import { fromCoreEvent, toCoreEvent } from "./event-view.ts";

/** An object as a version of its kind shows it: the same fields, or (events.k8s.io) others with the same meaning. */
export interface View {
  readonly type: ResourceType;
  /** `"kind":"Pod","apiVersion":"v1"` */
  readonly head: string;
  object(stored: StoredObject): ApiObject;
  /** The JSON after the head, without braces. */
  body(stored: StoredObject): Buffer;
  /** The other way: what goes into the store. */
  toStorage(object: ApiObject): ApiObject;
}

export function createView(type: ResourceType, storageVersion: string): View {
  const apiVersion = groupVersion(type);
  // Custom resources are written in the order of an unstructured map, built-in kinds in that of their Go structs.
  const head =
    type.custom === undefined
      ? `"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersion)}`
      : `"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(type.kind)}`;
  if (type.group === "events.k8s.io") {
    const converted = new WeakMap<StoredObject, Buffer>();
    return {
      type,
      head,
      object: (stored) => fromCoreEvent(stored.object),
      body(stored) {
        let body = converted.get(stored);
        if (body === undefined) {
          const { apiVersion: _version, kind: _kind, ...rest } = fromCoreEvent(stored.object);
          body = Buffer.from(JSON.stringify(rest).slice(1, -1));
          converted.set(stored, body);
        }
        return body;
      },
      toStorage: toCoreEvent,
    };
  }
  return {
    type,
    head,
    object: (stored) =>
      stored.object.apiVersion === apiVersion ? stored.object : { ...stored.object, apiVersion },
    body: (stored) => stored.body(),
    toStorage: (object) => ({ ...object, apiVersion: storageVersion }),
  };
}

/** The view of a type; made once. Types are replaced as a whole when a CustomResourceDefinition changes. */
export function createViews(types: () => readonly ResourceType[]): (type: ResourceType) => View {
  const views = new WeakMap<ResourceType, View>();
  return (type) => {
    let view = views.get(type);
    if (view === undefined) {
      const { group, kind } = type;
      // A definition may store a version that it does not serve; the label of what is stored then does not matter.
      const stored =
        types().find((other) => other.group === group && other.kind === kind && other.storage) ?? type;
      view = createView(type, groupVersion(stored));
      views.set(type, view);
    }
    return view;
  };
}
