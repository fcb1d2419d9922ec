/** In so many samples a value has to be, to be one that objects of this kind usually have. */
const sharedBy = 3;

/** Longer texts are somebody's own: certificates, configuration, commands. */
const longestValue = 64;

/** Members whose values are never usual, whatever they are: those of Secrets and ConfigMaps, and of environment variables. */
const privateMembers = new Set(["data", "stringData", "binaryData", "value"]);

/**
 * What objects have in common: the names of their members, and short values that several of them share. What is kept to
 * compress objects by stays as long as the process, so nothing of any one object may be in it; least of all of a Secret.
 *
 * @param samples JSON; what is none is left out
 */
export function shapesOf(samples: readonly Uint8Array[]): Uint8Array[] {
  const objects = samples.flatMap((sample) => {
    try {
      return [JSON.parse(Buffer.from(sample).toString())];
    } catch {
      return [];
    }
  });
  const counts = new Map<unknown, number>();
  for (const object of objects) {
    const values = new Set<unknown>();
    shapeOf(object, (value) => values.add(value));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const isUsual = (value: unknown) => (counts.get(value) ?? 0) >= sharedBy;
  return objects.map((object) => Buffer.from(JSON.stringify(shapeOf(object, isUsual))));
}

/** The same with empty texts, and zeros, for values that are not to be kept. */
function shapeOf(value: unknown, isKept: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, isKept));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        shapeOf(member, privateMembers.has(name) ? () => false : isKept),
      ]),
    );
  }
  if (typeof value === "string") return value.length <= longestValue && isKept(value) ? value : "";
  if (typeof value === "number") return isKept(value) ? value : 0;
  return value;
}
