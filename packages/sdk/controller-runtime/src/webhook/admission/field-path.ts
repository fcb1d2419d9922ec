/**
 * The path of a field in an object, as an API server writes it: `spec.ports[0].name`, `metadata.labels[a/b]`.
 * Go: field.Path.
 */
export interface FieldPath {
  child(...names: readonly string[]): FieldPath;
  index(index: number): FieldPath;
  key(key: string): FieldPath;
  toString(): string;
}

/** Returns a path of these fields. Go: field.NewPath. */
export function fieldPath(name: string, ...more: readonly string[]): FieldPath {
  return pathOf([name, ...more].join("."));
}

function pathOf(text: string): FieldPath {
  return {
    child: (...names) => pathOf([text, ...names].join(".")),
    index: (index) => pathOf(`${text}[${index}]`),
    key: (key) => pathOf(`${text}[${key}]`),
    toString: () => text,
  };
}
