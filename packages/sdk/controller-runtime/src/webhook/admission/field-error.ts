import { ApiError, type KubeObject, type Resource, type StatusCause } from "@operator-path/client";
import type { FieldPath } from "./field-path.ts";

/** An error of one field, in an API server's words. Made by the functions of `field`. Go: field.Error. */
export interface FieldError {
  /** "spec.size". */
  readonly field: string;
  /** "Invalid value: 3: must be odd". */
  readonly message: string;
  /** A code for programs: "FieldValueInvalid". */
  readonly reason: string;
}

type Path = FieldPath | string;

const error = (reason: string, path: Path, ...parts: readonly string[]): FieldError => ({
  ...{ reason, field: String(path) },
  message: parts.filter((part) => part !== "").join(": "),
});

const items = (count: number) => `${count} ${count === 1 ? "item" : "items"}`;
const characters = (count: number) => `${count} ${count === 1 ? "character" : "characters"}`;
const bytes = (count: number) => `${count} ${count === 1 ? "byte" : "bytes"}`;

/** Creates field errors by type. A path is a string, or made by `fieldPath`. */
export const field = {
  /** A malformed or out-of-bounds value. */
  invalid: (path: Path, value: unknown, detail: string) =>
    error("FieldValueInvalid", path, "Invalid value", show(value), detail),
  /** A missing value. */
  required: (path: Path, detail = "") => error("FieldValueRequired", path, "Required value", detail),
  /** A value that is not in a list of supported ones. */
  notSupported: (path: Path, value: unknown, supported: readonly string[]) =>
    error(
      "FieldValueNotSupported",
      path,
      "Unsupported value",
      show(value),
      supported.length > 0
        ? `supported values: ${supported.map((each) => JSON.stringify(each)).join(", ")}`
        : "",
    ),
  /** A value that is valid in itself but not here or not now. */
  forbidden: (path: Path, detail: string) => error("FieldValueForbidden", path, "Forbidden", detail),
  duplicate: (path: Path, value: unknown) =>
    error("FieldValueDuplicate", path, "Duplicate value", show(value)),
  /** A value that refers to something missing. */
  notFound: (path: Path, value: unknown) => error("FieldValueNotFound", path, "Not found", show(value)),
  tooLong: (path: Path, most: number) =>
    error("FieldValueTooLong", path, "Too long", `may not be more than ${bytes(most)}`),
  tooShort: (path: Path, least: number) =>
    error("FieldValueTooShort", path, "Too short", `must be at least ${characters(least)}`),
  tooMany: (path: Path, count: number, most: number) =>
    error("FieldValueTooMany", path, "Too many", String(count), `must have at most ${items(most)}`),
  tooFew: (path: Path, count: number, least: number) =>
    error("FieldValueTooFew", path, "Too few", String(count), `must have at least ${items(least)}`),
  /** A value of the wrong type. */
  typeInvalid: (path: Path, value: unknown, detail: string) =>
    error("FieldValueTypeInvalid", path, "Invalid value", show(value), detail),
} as const;

/**
 * Returns an error for an invalid object: status 422 with a cause for each field. kubectl lists them as for
 * built-in kinds. Go: apierrors.NewInvalid.
 *
 * @returns undefined when there are no errors
 */
export function invalidObject(
  { group, kind }: Pick<Resource, "group" | "kind">,
  { metadata: { name = "" } = {} }: KubeObject,
  errors: readonly FieldError[],
): ApiError | undefined {
  if (errors.length === 0) return undefined;
  const causes = errors.map(
    ({ reason, message, field: at }): StatusCause => ({ reason, message, field: at }),
  );
  const lines = [...new Set(errors.map((each) => `${each.field}: ${each.message}`))];
  const subject = `${group === "" ? kind : `${kind}.${group}`} ${JSON.stringify(name)}`;
  return new ApiError({
    ...{ apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", code: 422, reason: "Invalid" },
    message: `${subject} is invalid: ${lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`}`,
    details: { ...(group ? { group } : {}), kind, ...(name ? { name } : {}), causes },
  });
}

/**
 * Throws if there are errors. Call it at the end of a validator.
 *
 * @throws ApiError as `invalidObject` creates it
 */
export function throwIfInvalid(
  resource: Pick<Resource, "group" | "kind">,
  object: KubeObject,
  errors: readonly FieldError[],
): void {
  const error = invalidObject(resource, object, errors);
  if (error) throw error;
}

/**
 * Formats a value as Go's encoding/json and strconv.Quote do. Values that JSON cannot represent become null.
 */
function show(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
