import { parseSync } from "oxc-parser";

/** An identifier of a TypeScript file. `at` is the offset of its first character. */
export interface Identifier {
  readonly name: string;
  readonly at: number;
}

/**
 * Returns every identifier of a file, in order: names of values, types and properties, without strings and
 * comments.
 */
export function identifiersOf(path: string, text: string): Identifier[] {
  const found = new Map<number, string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, name, start } = node as { type?: unknown; name?: unknown; start?: unknown };
    if (type === "Identifier" && typeof name === "string" && typeof start === "number")
      found.set(start, name);
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseSync(path, text).program);
  return [...found].map(([at, name]) => ({ at, name })).sort((a, b) => a.at - b.at);
}
