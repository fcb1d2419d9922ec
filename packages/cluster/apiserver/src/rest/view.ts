import { isDeepStrictEqual } from "node:util";
import { defaultCustomResource } from "../crd/default-custom-resource.ts";
import type { ApiObject } from "../json.ts";
import { createStoredObject, type StoredObject } from "../store/stored-object.ts";
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
          if (!stored.retired) converted.set(stored, body);
        }
        return body;
      },
      toStorage: toCoreEvent,
    };
  }
  const shown = withDefaults(type);
  return {
    type,
    head,
    object(stored) {
      const { object } = shown(stored);
      return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
    },
    body: (stored) => shown(stored).body(),
    toStorage: (object) => ({ ...object, apiVersion: storageVersion }),
  };
}

/**
 * A custom resource may be older than a default of its definition: readers get it all the same. Definitions that change
 * come with new types, and so with new views: what is remembered here is never out of date.
 */
function withDefaults({ custom }: ResourceType): (stored: StoredObject) => StoredObject {
  const schema = custom?.schema;
  if (schema === undefined || !JSON.stringify(schema).includes('"default":')) return (stored) => stored;
  const known = new WeakMap<StoredObject, StoredObject>();
  return (stored) => {
    let shown = known.get(stored);
    if (shown === undefined) {
      const copy = structuredClone(stored.object);
      defaultCustomResource(copy, schema);
      shown = isDeepStrictEqual(copy, stored.object)
        ? stored
        : createStoredObject(stored.key, stored.revision, copy);
      if (!stored.retired) known.set(stored, shown);
    }
    return shown;
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
