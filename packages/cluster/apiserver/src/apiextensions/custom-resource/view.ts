import { isDeepStrictEqual } from "node:util";
import { defaultCustomResource } from "../../apimachinery/schema/default.ts";
import { prune } from "../../apimachinery/schema/prune.ts";
import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { ObjectView } from "../../server/registry/strategy.ts";
import { createStoredObject, type StoredObject } from "../../server/storage/stored-object.ts";
import { groupVersion } from "../../server/types/resource-type.ts";
import { type ConversionContext, convertObjects } from "../conversion/convert.ts";
import type { CustomResourceType } from "../custom-resource-definition.ts";

/**
 * Returns a view that shows custom resources in one version of their definition. An object may be older than
 * the definition: the view removes fields that are not in the schema, and sets defaults. It converts objects
 * that are stored in another version.
 *
 * A changed definition has new types and new views. So a cached result never becomes stale, except for a
 * changed webhook. A get calls the webhook again. Lists, watches and updates use its last result, as they use
 * the watch cache on a real server.
 */
export function createCustomView(type: CustomResourceType, context: ConversionContext): ObjectView {
  const { custom } = type;
  const apiVersion = groupVersion(type);
  const { schema, conversion, versions } = custom;
  const storage = versions.find(({ storage }) => storage);
  const storageVersion = `${type.group}/${storage?.name ?? type.version}`;
  const results = new WeakMap<StoredObject, StoredObject>();
  const isForeign = ({ object }: StoredObject) => object.apiVersion !== apiVersion;

  const schemas = new Map(
    versions.map(({ name, schema }) => [`${type.group}/${name}`, schema?.openAPIV3Schema]),
  );

  /** Returns the object in its stored version, with the current schema applied. */
  const read = ({ object }: StoredObject) => applySchema(object, schemas.get(object.apiVersion), true);

  function remember(stored: StoredObject, object: ApiObject): StoredObject {
    const result = isDeepStrictEqual(object, stored.object)
      ? stored
      : createStoredObject(stored.key, stored.revision, object);
    results.set(stored, result);
    return result;
  }

  function show(stored: StoredObject): StoredObject {
    const known = results.get(stored);
    if (known !== undefined) return known;
    if (!isForeign(stored)) return remember(stored, read(stored));
    // Defaults come from the stored version. As on a real server, fields that a conversion leaves empty stay
    // empty.
    if (conversion.strategy === "None")
      return remember(stored, applySchema({ ...read(stored), apiVersion }, schema, false));
    throw new Error(`${stored.key} has not been converted to ${apiVersion}`);
  }

  return {
    ready(items, fresh = false) {
      if (conversion.strategy === "None") return undefined;
      const waiting = items.filter((item) => isForeign(item) && (fresh || !results.has(item)));
      if (waiting.length === 0) return undefined;
      return convertObjects(context, custom, waiting.map(read), apiVersion).then((objects) => {
        waiting.forEach((item, index) => {
          remember(item, applySchema(objects[index] as ApiObject, schema, false));
        });
      });
    },
    object: (stored) => show(stored).object,
    body: (stored) => show(stored).body(),
    toStorage(object) {
      if (object.apiVersion === storageVersion) return object;
      const target = storage?.schema?.openAPIV3Schema;
      if (conversion.strategy === "None")
        return applySchema({ ...object, apiVersion: storageVersion }, target, false);
      return convertObjects(context, custom, [object], storageVersion).then(([converted]) =>
        applySchema(converted as ApiObject, target, false),
      );
    },
  };
}

/** Returns a copy without unknown fields, and optionally with defaults. */
function applySchema(object: ApiObject, schema: RawSchema | undefined, withDefaults: boolean): ApiObject {
  if (schema === undefined) return object;
  const copy = structuredClone(object);
  prune(copy, schema as Schema);
  if (withDefaults) defaultCustomResource(copy, schema);
  return copy;
}
