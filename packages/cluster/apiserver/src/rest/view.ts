import type { ConversionContext } from "../crd/conversion/convert.ts";
import type { ApiObject } from "../json.ts";
import { encodeExactly } from "../store/encode-exactly.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { groupVersion, type ResourceType } from "../types/resource-type.ts";
import { createCustomView } from "./custom-view.ts";
import { fromCoreEvent, toCoreEvent } from "./event-view.ts";

/** An object as a version of its kind shows it: the same fields, or others with the same meaning. */
export interface View {
  readonly type: ResourceType;
  /** `"kind":"Pod","apiVersion":"v1"` */
  readonly head: string;
  /**
   * Has to be waited for before `object` and `body` are asked for these: a webhook may have to convert them. Undefined if
   * there is nothing to wait for.
   *
   * @param fresh asks the webhook again, even for what it has converted before
   * @throws ApiStatusError 500 when it cannot
   */
  ready(items: readonly StoredObject[], fresh?: boolean): Promise<void> | undefined;
  object(stored: StoredObject): ApiObject;
  /** The JSON after the head, without braces. */
  body(stored: StoredObject): Buffer;
  /** The other way: what goes into the store. @throws ApiStatusError 500 when a webhook cannot convert it */
  toStorage(object: ApiObject): ApiObject | Promise<ApiObject>;
}

export function createView(type: ResourceType, storageVersion: string, context: ConversionContext): View {
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
      ready: () => undefined,
      object: (stored) => fromCoreEvent(stored.object),
      body(stored) {
        let body = converted.get(stored);
        if (body === undefined) {
          const { apiVersion: _version, kind: _kind, ...rest } = fromCoreEvent(stored.object);
          body = encodeExactly(JSON.stringify(rest).slice(1, -1));
          if (!stored.retired) converted.set(stored, body);
        }
        return body;
      },
      toStorage: toCoreEvent,
    };
  }
  if (type.custom !== undefined) return { head, ...createCustomView(type, type.custom, context) };
  return {
    type,
    head,
    ready: () => undefined,
    object({ object }) {
      return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
    },
    body: (stored) => stored.body(),
    toStorage: (object) => ({ ...object, apiVersion: storageVersion }),
  };
}

/** The view of a type; made once. Types are replaced as a whole when a CustomResourceDefinition changes. */
export function createViews(
  types: () => readonly ResourceType[],
  context: ConversionContext,
): (type: ResourceType) => View {
  const views = new WeakMap<ResourceType, View>();
  return (type) => {
    let view = views.get(type);
    if (view === undefined) {
      const { group, kind } = type;
      const stored =
        types().find((other) => other.group === group && other.kind === kind && other.storage) ?? type;
      view = createView(type, groupVersion(stored), context);
      views.set(type, view);
    }
    return view;
  };
}
