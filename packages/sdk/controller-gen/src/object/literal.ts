const width = 110;

/** A node that stands as a name in place of itself. */
export type Names = ReadonlyMap<unknown, string>;

/**
 * A value as TypeScript: on one line where it fits, names bare where they may be.
 *
 * @param indent of the line that the value begins in
 * @param used columns of that line that are taken
 * @param names of objects that are constants elsewhere
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
    const start = `${pad}${bare(name)}: `;
    return `${start}${literal(member, indent + 2, start.length + 1, names)},`;
  });
  return `{\n${members.join("\n")}${close}}`;
}

function flatLiteral(value: unknown, names: Names): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const name = names.get(value);
  if (name !== undefined) return name;
  if (Array.isArray(value)) return `[${value.map((item) => flatLiteral(item, names)).join(", ")}]`;
  const members = Object.entries(value).map(([key, member]) => `${bare(key)}: ${flatLiteral(member, names)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function bare(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
