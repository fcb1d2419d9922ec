import type { RawSchema } from "../../apimachinery/schema/schema.ts";

/**
 * Parses the fieldPath of a rule, relative to its schema: `.spec.labels['a/b']`.
 *
 * @returns the path in the form of errors, `spec.labels[a/b]`, or undefined if the schema has no such field
 */
export function readFieldPath(path: string, schema: RawSchema): string | undefined {
  const step = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/gy;
  let written = "";
  let here: RawSchema | undefined = schema;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) return undefined;
    const name = match[1] ?? unescaped(match[2] ?? "");
    if (name === undefined) return undefined;
    const { properties, additionalProperties }: RawSchema = here;
    if (properties !== undefined) {
      here = Object.hasOwn(properties, name) ? properties[name] : undefined;
      written += written === "" ? name : `.${name}`;
    } else {
      here = typeof additionalProperties === "object" ? additionalProperties : undefined;
      written += `[${name}]`;
    }
    if (here === undefined) return undefined;
  }
  return written === "" ? undefined : written;
}

const escapes: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function unescaped(text: string): string | undefined {
  let known = true;
  const plain = text.replace(/\\(.)/g, (_whole, character: string) => {
    if (!Object.hasOwn(escapes, character)) known = false;
    return escapes[character] ?? "";
  });
  return known ? plain : undefined;
}
