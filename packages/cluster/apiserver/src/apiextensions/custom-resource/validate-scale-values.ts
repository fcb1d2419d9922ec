import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid } from "../../apimachinery/validation/cause.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { ScalePaths } from "../../server/types/resource-type.ts";

const greatest = 2 ** 31 - 1;

/**
 * Validates the fields that the scale subresource reads (customResourceValidator.ValidateScaleSpec,
 * ValidateScaleStatus).
 *
 * @param statusOnly whether only the status is written
 */
export function validateScaleValues(
  object: ApiObject,
  scale: ScalePaths,
  statusOnly: boolean,
): StatusCause[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(statusOnly ? [] : validateReplicas(object, specReplicasPath)),
    ...validateReplicas(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : validateSelector(object, labelSelectorPath)),
  ];
}

function validateReplicas(object: ApiObject, path: string): StatusCause[] {
  const replicas = read(object, path);
  if (replicas === undefined) return [];
  if (typeof replicas !== "number") return [invalid(path, 0, accessorError(path, replicas, "int64"))];
  if (replicas < 0) return [invalid(path, replicas, "should be a non-negative integer")];
  if (replicas <= greatest) return [];
  return [invalid(path, replicas, `should be less than or equal to ${greatest}`)];
}

function validateSelector(object: ApiObject, path: string): StatusCause[] {
  const selector = read(object, path);
  if (selector === undefined || typeof selector === "string") return [];
  return [invalid(path, "", accessorError(path, selector, "string"))];
}

function read(object: ApiObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path.replace(/^\./, "").split(".")) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value ?? undefined;
}

function accessorError(path: string, value: JsonValue, expected: string): string {
  const types: Record<string, string> = { string: "string", boolean: "bool", number: "float64" };
  const type = types[typeof value] ?? (Array.isArray(value) ? "[]interface {}" : "map[string]interface {}");
  return `${path} accessor error: ${JSON.stringify(value)} is of the type ${type}, expected ${expected}`;
}
