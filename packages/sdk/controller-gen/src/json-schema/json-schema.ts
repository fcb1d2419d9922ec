/** A JSON Schema of draft 2020-12 from a library, not validated. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The place of a schema. */
export interface Place {
  /**
   * The field as a server names it: `spec.ports[*].name`, with `[*]` for any item or key, or "" for the
   * object itself.
   */
  readonly path: string;
  /** The `$ref`s on the way here, to detect a schema that contains itself. */
  readonly refs: readonly string[];
}

/** Receives a problem of a field, and what to write instead. */
export type ReportField = (path: string, message: string, suggestion: string) => void;

/** The keyword that marks a schema which the library could not write. Its value is the library's message. */
export const unrepresentable = "$unrepresentable";

/** Returns whether a value is an object, and so can be a JSON Schema. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the place of a field. */
export function fieldOf({ path, refs }: Place, name: string): Place {
  return { path: path === "" ? name : `${path}.${name}`, refs };
}

/** Returns the place of the items of a list or the values of a map. */
export function itemOf({ path, refs }: Place): Place {
  return { path: `${path}[*]`, refs };
}

/** Returns the value if it is a list, and an empty list otherwise. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
