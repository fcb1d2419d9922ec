/** A JSON Schema of draft 2020-12 as a library has written it: nothing about it is known yet. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a schema stands. */
export interface Place {
  /** The field as a server names it, "" for the object itself: `spec.ports[*].name`, `[*]` for any item or key. */
  readonly path: string;
  /** The `$ref`s that led here, to find the ones that lead to themselves. */
  readonly refs: readonly string[];
}

/** Receives what no CustomResourceDefinition can express, and what to write instead. */
export type ReportField = (path: string, message: string, suggestion: string) => void;

/** Where the keyword stands, the library could not write the schema. Its value is the library's message. */
export const unrepresentable = "$unrepresentable";

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
