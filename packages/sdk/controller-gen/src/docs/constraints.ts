import type { Schema } from "../schema/schema.ts";

/** Returns the constraints of a schema in one line of Markdown: "at least `0`, default `3`". */
export function constraintsOf(schema: Schema): string {
  const parts: string[] = [];
  const add = (value: unknown, text: (value: string) => string): void => {
    if (value !== undefined) parts.push(text(code(value)));
  };
  if (schema.enum !== undefined) parts.push(`one of ${schema.enum.map(code).join(", ")}`);
  add(schema.minimum, (value) => `${schema.exclusiveMinimum ? "greater than" : "at least"} ${value}`);
  add(schema.maximum, (value) => `${schema.exclusiveMaximum ? "less than" : "at most"} ${value}`);
  add(schema.multipleOf, (value) => `a multiple of ${value}`);
  add(schema.minLength, (value) => `at least ${value} characters`);
  add(schema.maxLength, (value) => `at most ${value} characters`);
  add(schema.pattern, (value) => `matches ${value}`);
  add(schema.minItems, (value) => `at least ${value} items`);
  add(schema.maxItems, (value) => `at most ${value} items`);
  if (schema.uniqueItems || schema["x-kubernetes-list-type"] === "set") parts.push("unique items");
  const keys = schema["x-kubernetes-list-map-keys"];
  if (keys !== undefined) parts.push(`unique by ${keys.map(code).join(" and ")}`);
  add(schema.minProperties, (value) => `at least ${value} keys`);
  add(schema.maxProperties, (value) => `at most ${value} keys`);
  if (schema.nullable) parts.push("may be null");
  for (const { rule, message } of schema["x-kubernetes-validations"] ?? []) parts.push(message ?? code(rule));
  add(schema.default, (value) => `default ${value}`);
  add(schema.example, (value) => `for example ${value}`);
  if (schema.externalDocs !== undefined) {
    const { url, description } = schema.externalDocs;
    parts.push(`[${description ?? "documentation"}](${url})`);
  }
  return parts.join(", ");
}

function code(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `\`${text.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
