import type { Schema } from "../schema/schema.ts";
import { literal } from "./literal.ts";

/** Less than this is not worth a name. */
const worthAName = 200;

/**
 * Schemas as constants of a module, with what stands in several places written once: a Pod's template has the same
 * container in three places.
 *
 * @param roots by the names of their constants
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
    const isShared = text.length >= worthAName && (uses.get(text) ?? 0) > 1;
    let name = nameByText.get(text);
    // What a constant names stands before it.
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
