const words = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch " +
    "this throw true try typeof var void while with yield"
  ).split(" "),
);

/** Returns whether a name is reserved, so no variable of a TypeScript module can have it. */
export function isReservedWord(name: string): boolean {
  return words.has(name);
}

/** Returns a kind in camel case, as the name of a variable: Memcached → memcached, HTTPRoute → httpRoute. */
export function camelCase(kind: string): string {
  const capitals = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/.exec(kind)?.[0] ?? "";
  return capitals.toLowerCase() + kind.slice(capitals.length);
}

const width = 110;

/** The names of constants, by the object that each one contains. */
export type Names = ReadonlyMap<unknown, string>;

/**
 * Returns a value as TypeScript: on one line if it fits, and without quotes around names where possible.
 *
 * @param indent the indentation of the line in which the value begins
 * @param used the columns of that line that are already used
 * @param names objects to replace by the names of their constants
 */
export function literal(value: unknown, indent = 0, used = 0, names: Names = new Map()): string {
  const flat = flatLiteral(value, names);
  if (flat.length + used <= width || typeof value !== "object" || value === null || names.has(value))
    return flat;
  const pad = " ".repeat(indent + 2);
  const close = `\n${" ".repeat(indent)}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${pad}${literal(item, indent + 2, indent + 3, names)},`);
    return `[\n${items.join("\n")}${close}]`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${pad}${quoteIfNeeded(name)}: `;
    return `${start}${literal(member, indent + 2, start.length + 1, names)},`;
  });
  return `{\n${members.join("\n")}${close}}`;
}

function flatLiteral(value: unknown, names: Names): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const name = names.get(value);
  if (name !== undefined) return name;
  if (Array.isArray(value)) return `[${value.map((item) => flatLiteral(item, names)).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${quoteIfNeeded(key)}: ${flatLiteral(member, names)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function quoteIfNeeded(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
