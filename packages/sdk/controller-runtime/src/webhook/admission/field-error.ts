import { ApiError, type KubeObject, type Resource, type StatusCause } from "@operator-path/client";
import type { FieldPath } from "./field-path.ts";

/** What is wrong with one field, in the words of an API server (Go: field.Error). Made by the functions of `field`. */
export interface FieldError {
  /** "spec.size". */
  readonly field: string;
  /** "Invalid value: 3: must be odd". */
  readonly message: string;
  /** For programs: "FieldValueInvalid". */
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

/** Errors of fields, by what is wrong with them. A path is a text, or made by `fieldPath`. */
export const field = {
  /** A value that is malformed, or out of bounds. */
  invalid: (path: Path, value: unknown, detail: string) =>
    error("FieldValueInvalid", path, "Invalid value", show(value), detail),
  /** A value that has to be there. */
  required: (path: Path, detail = "") => error("FieldValueRequired", path, "Required value", detail),
  /** A value that is none of those there are. */
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
  /** A value that would do elsewhere, or at another time. */
  forbidden: (path: Path, detail: string) => error("FieldValueForbidden", path, "Forbidden", detail),
  duplicate: (path: Path, value: unknown) =>
    error("FieldValueDuplicate", path, "Duplicate value", show(value)),
  /** A value that names something which is not there. */
  notFound: (path: Path, value: unknown) => error("FieldValueNotFound", path, "Not found", show(value)),
  tooLong: (path: Path, most: number) =>
    error("FieldValueTooLong", path, "Too long", `may not be more than ${bytes(most)}`),
  tooShort: (path: Path, least: number) =>
    error("FieldValueTooShort", path, "Too short", `must be at least ${characters(least)}`),
  tooMany: (path: Path, count: number, most: number) =>
    error("FieldValueTooMany", path, "Too many", String(count), `must have at most ${items(most)}`),
  tooFew: (path: Path, count: number, least: number) =>
    error("FieldValueTooFew", path, "Too few", String(count), `must have at least ${items(least)}`),
  /** A value of another type than the schema's. */
  typeInvalid: (path: Path, value: unknown, detail: string) =>
    error("FieldValueTypeInvalid", path, "Invalid value", show(value), detail),
} as const;

/**
 * The error that says what is wrong with an object (Go: apierrors.NewInvalid): 422, with a cause for each field, which
 * kubectl lists as it does for built-in kinds.
 *
 * @returns undefined when nothing is wrong
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

/** At the end of a validator. @throws ApiError as `invalidObject` makes it, when there are errors */
export function throwIfInvalid(
  resource: Pick<Resource, "group" | "kind">,
  object: KubeObject,
  errors: readonly FieldError[],
): void {
  const error = invalidObject(resource, object, errors);
  if (error) throw error;
}

/** As Go's encoding/json and strconv.Quote do; what JSON has no word for, as null. */
function show(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
