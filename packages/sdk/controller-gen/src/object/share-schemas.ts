import type { Schema } from "../schema/schema.ts";
import { literal } from "../typescript-text.ts";

/** The minimum length, in characters of JSON, of a schema that gets its own constant. */
const minimumLength = 200;

/**
 * Returns the TypeScript constants of schemas. A schema that occurs several times becomes a constant of its
 * own: a Pod template contains the same container schema three times.
 *
 * @param roots the schemas by the names of their constants
 */
export function schemaConstants(roots: ReadonlyMap<string, Schema>): string[] {
  const uses = new Map<string, number>();
  const texts = new Map<Schema, string>();
  const textOf = (node: Schema): string => {
    let text = texts.get(node);
    if (text === undefined) {
      text = JSON.stringify(node);
      texts.set(node, text);
    }
    return text;
  };
  const count = (node: Schema): void => {
    const text = textOf(node);
    const before = uses.get(text) ?? 0;
    uses.set(text, before + 1);
    if (before === 0) for (const child of childrenOf(node)) count(child);
  };
  for (const root of roots.values()) for (const child of childrenOf(root)) count(child);

  const names = new Map<unknown, string>();
  const nameByText = new Map<string, string>();
  const constants: string[] = [];
  const define = (name: string, node: Schema): void => {
    const start = `const ${name}: ResourceSchema = `;
    constants.push(`${start}${literal(node, 0, start.length + 1, names)};\n`);
  };
  const visit = (node: Schema): void => {
    if (names.has(node)) return;
    const text = textOf(node);
    const isShared = text.length >= minimumLength && (uses.get(text) ?? 0) > 1;
    let name = nameByText.get(text);
    // A constant must be defined before it is used.
    if (name === undefined) for (const child of childrenOf(node)) visit(child);
    if (!isShared) return;
    if (name === undefined) {
      name = `shared${nameByText.size + 1}`;
      nameByText.set(text, name);
      define(name, node);
    }
    names.set(node, name);
  };
  for (const [name, root] of roots) {
    for (const child of childrenOf(root)) visit(child);
    define(name, root);
  }
  return constants;
}

function childrenOf(schema: Schema): Schema[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
  ];
}
