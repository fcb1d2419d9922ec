import { isDeepStrictEqual } from "node:util";
import { type ConversionContext, convertObjects } from "../../apiextensions/conversion/convert.ts";
import { defaultCustomResource } from "../../apimachinery/schema/default.ts";
import { prune } from "../../apimachinery/schema/prune.ts";
import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import { fromCoreEvent, toCoreEvent } from "../../kinds/core/event-view.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { createStoredObject, encodeExactly, type StoredObject } from "../storage/stored-object.ts";
import type { CustomVersion } from "../types/custom-resource-definition.ts";
import { groupVersion, type ResourceType } from "../types/resource-type.ts";

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

/**
 * Custom resources as one version of their definition shows them. They may be older than the definition: what its schema
 * does not know is left out, and defaults are filled in. They may be stored in another version: then they are converted.
 *
 * Definitions that change come with new types, and so with new views: what is remembered here is never out of date, but
 * for what a webhook would answer today. A get asks it; lists, watches and updates use what it said last, as they use the
 * watch cache on a real server.
 */
function createCustomView(
  type: ResourceType,
  custom: CustomVersion,
  context: ConversionContext,
): Omit<View, "head"> {
  const apiVersion = groupVersion(type);
  const { schema, conversion, versions } = custom;
  const storage = versions.find(({ storage }) => storage);
  const storageVersion = `${type.group}/${storage?.name ?? type.version}`;
  const shown = new WeakMap<StoredObject, StoredObject>();
  const isForeign = ({ object }: StoredObject) => object.apiVersion !== apiVersion;

  const schemas = new Map(
    versions.map(({ name, schema }) => [`${type.group}/${name}`, schema?.openAPIV3Schema]),
  );

  /** As the version that it is stored in has it today. */
  const read = ({ object }: StoredObject) => fit(object, schemas.get(object.apiVersion), true);

  function remember(stored: StoredObject, object: ApiObject): StoredObject {
    const result = isDeepStrictEqual(object, stored.object)
      ? stored
      : createStoredObject(stored.key, stored.revision, object);
    shown.set(stored, result);
    return result;
  }

  function show(stored: StoredObject): StoredObject {
    const known = shown.get(stored);
    if (known !== undefined) return known;
    if (!isForeign(stored)) return remember(stored, read(stored));
    // Defaults are those of the stored version: what a conversion leaves empty stays so, as on a real server.
    if (conversion.strategy === "None")
      return remember(stored, fit({ ...read(stored), apiVersion }, schema, false));
    throw new Error(`${stored.key} has not been converted to ${apiVersion}`);
  }

  return {
    type,
    ready(items, fresh = false) {
      if (conversion.strategy === "None") return undefined;
      const waiting = items.filter((item) => isForeign(item) && (fresh || !shown.has(item)));
      if (waiting.length === 0) return undefined;
      return convertObjects(context, custom, waiting.map(read), apiVersion).then((objects) => {
        waiting.forEach((item, index) => {
          remember(item, fit(objects[index] as ApiObject, schema, false));
        });
      });
    },
    object: (stored) => show(stored).object,
    body: (stored) => show(stored).body(),
    toStorage(object) {
      if (object.apiVersion === storageVersion) return object;
      const target = storage?.schema?.openAPIV3Schema;
      if (conversion.strategy === "None")
        return fit({ ...object, apiVersion: storageVersion }, target, false);
      return convertObjects(context, custom, [object], storageVersion).then(([converted]) =>
        fit(converted as ApiObject, target, false),
      );
    },
  };
}

/** A copy without what the schema does not know, and with its defaults. */
function fit(object: ApiObject, schema: RawSchema | undefined, withDefaults: boolean): ApiObject {
  if (schema === undefined) return object;
  const copy = structuredClone(object);
  prune(copy, schema as Schema);
  if (withDefaults) defaultCustomResource(copy, schema);
  return copy;
}
