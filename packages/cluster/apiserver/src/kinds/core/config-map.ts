import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, tooLong } from "../../apimachinery/validation/cause.ts";
import { isConfigMapKey } from "../../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { labels } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";

/** The most data that an object of this kind may have: 1 MiB. */
export const maximumSize = 1024 * 1024;

/** Validates a core/v1 ConfigMap. */
function validateConfigMap(configMap: ApiObject, old?: ApiObject): StatusCause[] {
  const data = labels(configMap.data);
  const binaryData = labels(configMap.binaryData);
  const causes: StatusCause[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    causes.push(...isConfigMapKey(key).map((error) => invalid(`data[${key}]`, key, error)));
    if (Object.hasOwn(binaryData, key)) {
      causes.push(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    causes.push(...isConfigMapKey(key).map((error) => invalid(`binaryData[${key}]`, key, error)));
    size += Buffer.byteLength(value, "base64");
  }
  // A real server reports an empty path too.
  if (size > maximumSize) causes.push(tooLong("[]", maximumSize));
  return [...causes, ...validateImmutable(configMap, old, ["data", "binaryData"])];
}

/** Rejects changes of an immutable object, and of `immutable: true` itself. */
export function validateImmutable(
  object: ApiObject,
  old: ApiObject | undefined,
  fields: readonly string[],
): StatusCause[] {
  if (old?.immutable !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !isDeepStrictEqual(entries(object, field), entries(old, field)));
  return [...(object.immutable === true ? [] : ["immutable"]), ...changed].map((field) =>
    forbidden(field, detail),
  );
}

function entries(object: JsonObject, field: string): unknown {
  return object[field] ?? {};
}

interface ConfigMap extends Named {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

const configMapPrinter = definePrinter<ConfigMap>((object, context) => [
  nameOf(object),
  Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
  ageOf(object, context),
]);

/** core/v1 ConfigMap. */
export const configMapKind: BuiltInKind = { validate: validateConfigMap, printer: configMapPrinter };
