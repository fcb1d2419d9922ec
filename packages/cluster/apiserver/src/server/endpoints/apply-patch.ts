import { badRequest, genericFailure, invalid, unsupportedMediaType } from "../../apimachinery/errors.ts";
import { JsonPatchError, type JsonPatchOperation, jsonPatch } from "../../apimachinery/patch/json-patch.ts";
import { mergePatch } from "../../apimachinery/patch/merge-patch.ts";
import {
  StrategicMergePatchError,
  strategicMergePatch,
} from "../../apimachinery/patch/strategic-merge-patch.ts";
import {
  checkFieldValidation,
  conformTo,
  type Decoded,
  type DecodeTarget,
  givenKind,
  kindProblem,
  messageOf,
  reportDuplicates,
  strictProblems,
} from "../../apimachinery/serializer/decode.ts";
import { jsonKind } from "../../apimachinery/serializer/go-type.ts";
import { warningsFor } from "../../apimachinery/serializer/warnings.ts";
import {
  type ApiObject,
  goPrint,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sortedJson,
} from "../../lib/json/json.ts";
import { JsonSyntaxError, type ParsedJson, parseJson } from "../../lib/json/parse-json.ts";

/** The most operations of a JSON patch (maxJSONPatchOperations). */
const maximumOperations = 10_000;

/**
 * Applies a JSON, merge or strategic merge patch to a stored object, and decodes the result as the target's
 * type. The caller does the rest: defaults, name and namespace, validation, conflicts.
 *
 * One response differs from a real server's on purpose. For a strategic merge patch that does not match the
 * object, this one answers 400 with the same message, and the real one mostly 500.
 *
 * @param contentType of the request, which defines the kind of patch
 * @throws ApiStatusError 400, 415 or 422
 */
export function applyPatch(
  current: ApiObject,
  bytes: Uint8Array,
  contentType: string,
  target: DecodeTarget,
): Decoded {
  checkFieldValidation(target.fieldValidation, "PatchOptions");
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  switch (type) {
    case "application/json-patch+json":
      return applyJsonPatch(current, bytes, target);
    case "application/merge-patch+json":
      return applyMergePatch(current, bytes, target);
    case "application/strategic-merge-patch+json":
      return applyStrategicMergePatch(current, bytes, target);
    default:
      throw unsupportedPatch(target);
  }
}

/** Rejects unknown types of patches. @throws ApiStatusError 415 */
export function checkPatchType(contentType: string, target: { custom?: unknown }): void {
  const types = [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/apply-patch+yaml",
  ];
  if (target.custom === undefined) types.push("application/strategic-merge-patch+json");
  if (types.includes(contentType)) return;
  throw unsupportedPatch({ customResource: target.custom !== undefined });
}

function unsupportedPatch(target: Pick<DecodeTarget, "customResource">): Error {
  if (!target.customResource) {
    return genericFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type");
  }
  return unsupportedMediaType(
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  );
}

function applyJsonPatch(current: ApiObject, bytes: Uint8Array, target: DecodeTarget): Decoded {
  const { value, duplicates } = parsePatch(bytes, "error decoding patch: ");
  if (!Array.isArray(value)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKind(value)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (value.length > maximumOperations) {
    throw badRequest(
      `The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${value.length}`,
    );
  }
  for (const operation of value) checkOperation(operation);
  const problems = value.flatMap((operation, index) =>
    isJsonObject(operation)
      ? (duplicates.get(operation) ?? []).map(
          (name) => `json patch duplicate field ${JSON.stringify(`[${index}].${name}`)}`,
        )
      : [],
  );
  let patched: JsonObject;
  try {
    patched = jsonPatch(current, value.map((operation) => operation ?? {}) as JsonPatchOperation[]);
  } catch (error) {
    if (error instanceof JsonPatchError) throw rejected();
    throw error;
  }
  return decodePatched(patched, shown(patched, target), target, new WeakMap(), problems);
}

/** Checks the types of an operation. null is an empty operation, which fails when it is applied. */
function checkOperation(operation: JsonValue): void {
  const fail = (found: JsonValue, into: string) =>
    badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(found)} into Go ${into}`);
  if (operation === null) return;
  if (!isJsonObject(operation)) throw fail(operation, "value of type handlers.jsonPatchOp");
  for (const field of ["op", "path", "from"]) {
    const found = operation[field];
    if (found === undefined || found === null || typeof found === "string") continue;
    throw fail(found, `struct field jsonPatchOp.${field} of type string`);
  }
}

function applyMergePatch(current: ApiObject, bytes: Uint8Array, target: DecodeTarget): Decoded {
  const parsed = parsePatch(bytes, "error decoding patch: ");
  const patch = requireObject(parsed.value, "error decoding patch: ");
  const problems: string[] = [];
  reportDuplicates(patch, parsed.duplicates, "", (problem) => problems.push(problem));
  const patched = mergePatch(current, patch);
  return decodePatched(patched, shown(patched, target), target, new WeakMap(), problems);
}

function applyStrategicMergePatch(current: ApiObject, bytes: Uint8Array, target: DecodeTarget): Decoded {
  if (target.customResource || target.schema === undefined) throw unsupportedPatch(target);
  const parsed = parsePatch(bytes, "");
  const patch = requireObject(parsed.value, "");
  const problems: string[] = [];
  reportDuplicates(patch, parsed.duplicates, "", (problem) => problems.push(problem));
  let patched: JsonObject;
  try {
    patched = strategicMergePatch(current, patch, target.schema);
  } catch (error) {
    if (error instanceof StrategicMergePatchError) throw badRequest(error.message);
    throw error;
  }
  return decodePatched(patched, goPrint(patch), { ...target, unstructured: true }, new WeakMap(), problems);
}

/** Decodes a patched object. @param shown the patch as messages quote it */
function decodePatched(
  patched: JsonObject,
  shown: string,
  target: DecodeTarget,
  duplicates: WeakMap<object, string[]>,
  problems: string[],
): Decoded {
  let object: ApiObject;
  // Go sorts the members of a patched object by name.
  const unknown: string[] = [];
  try {
    checkPatchedKind(patched, target);
    object = conformTo(patched, target, duplicates, unknown);
    problems.push(...unknown.sort());
  } catch (error) {
    throw invalidPatch(shown, messageOf(error));
  }
  if (problems.length > 0 && target.fieldValidation === "Strict") {
    throw invalidPatch(shown, `strict decoding error: ${strictProblems(problems)}`);
  }
  const warnings = warningsFor(object, target);
  return { object, warnings: [...(target.fieldValidation === "Ignore" ? [] : problems), ...warnings] };
}

/**
 * Rejects a patch that changes apiVersion or kind. Like Go, decodes the object as the kind that it names, before it
 * compares the kinds. A strategic merge patch cannot change them.
 */
function checkPatchedKind(patched: JsonObject, target: DecodeTarget): void {
  if (target.customResource || target.unstructured) return;
  const problem = kindProblem(patched, target);
  if (problem === undefined) return;
  const { kind, group, version } = givenKind(patched, target);
  const schema = target.schemaOf?.(group, version, kind);
  if (schema !== undefined)
    conformTo(patched, { ...target, kind, group, version, schema }, new WeakMap(), []);
  throw new Error(problem.message);
}

/** Formats a patched object for messages. Custom resources are maps in Go, which it sorts by name. */
function shown(patched: JsonObject, { customResource }: DecodeTarget): string {
  return customResource ? sortedJson(patched) : JSON.stringify(patched);
}

function invalidPatch(shown: string, problem: string): Error {
  return invalid("", "", "", [
    {
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(shown)}: ${problem}`,
      field: "patch",
    },
  ]);
}

/**
 * Returns the error for any JSON patch that cannot be applied. It does not say why
 * (NewGenericServerResponse).
 */
function rejected(): Error {
  return genericFailure(422, "Invalid", "the server rejected our request due to an error in our request");
}

function parsePatch(bytes: Uint8Array, prefix: string): ParsedJson {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`${prefix}${error.message}`);
    throw error;
  }
}

function requireObject(value: JsonValue, prefix: string): JsonObject {
  if (isJsonObject(value)) return value;
  if (value === null) return {};
  throw badRequest(
    `${prefix}json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  );
}
