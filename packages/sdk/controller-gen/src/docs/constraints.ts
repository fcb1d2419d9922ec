import type { Schema } from "../schema/schema.ts";

/** What a schema asks of a value, in a line: "at least 0, default `3`". */
export function constraintsOf(schema: Schema): string {
  const parts: string[] = [];
  const say = (value: unknown, text: (value: string) => string): void => {
    if (value !== undefined) parts.push(text(code(value)));
  };
  if (schema.enum !== undefined) parts.push(`one of ${schema.enum.map(code).join(", ")}`);
  say(schema.minimum, (value) => `${schema.exclusiveMinimum ? "greater than" : "at least"} ${value}`);
  say(schema.maximum, (value) => `${schema.exclusiveMaximum ? "less than" : "at most"} ${value}`);
  say(schema.multipleOf, (value) => `a multiple of ${value}`);
  say(schema.minLength, (value) => `at least ${value} characters`);
  say(schema.maxLength, (value) => `at most ${value} characters`);
  say(schema.pattern, (value) => `matches ${value}`);
  say(schema.minItems, (value) => `at least ${value} items`);
  say(schema.maxItems, (value) => `at most ${value} items`);
  if (schema.uniqueItems || schema["x-kubernetes-list-type"] === "set") parts.push("no item twice");
  const keys = schema["x-kubernetes-list-map-keys"];
  if (keys !== undefined) parts.push(`no two items of the same ${keys.map(code).join(" and ")}`);
  say(schema.minProperties, (value) => `at least ${value} keys`);
  say(schema.maxProperties, (value) => `at most ${value} keys`);
  if (schema.nullable) parts.push("may be null");
  for (const { rule, message } of schema["x-kubernetes-validations"] ?? []) parts.push(message ?? code(rule));
  say(schema.default, (value) => `default ${value}`);
  say(schema.example, (value) => `for example ${value}`);
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
