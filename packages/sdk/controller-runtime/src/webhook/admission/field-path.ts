/** Where in an object something is, as an API server writes it: `spec.ports[0].name`, `metadata.labels[a/b]` (Go: field.Path). */
export interface FieldPath {
  child(...names: readonly string[]): FieldPath;
  index(index: number): FieldPath;
  key(key: string): FieldPath;
  toString(): string;
}

/** Go: field.NewPath. */
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
