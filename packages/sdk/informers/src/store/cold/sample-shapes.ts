/** A value counts as common if this many samples contain it. */
const sharedBy = 3;

/** Longer texts are individual: certificates, configuration, commands. */
const longestValue = 64;

/** Values below these members are never common: those of Secrets, ConfigMaps and environment variables. */
const privateMembers = new Set(["data", "stringData", "binaryData", "value"]);

/**
 * Returns what the samples have in common: the names of their members, and short values that several of them
 * share. The dictionary lives as long as the process, so it must not contain data of a single object, least
 * of all of a Secret.
 *
 * @param samples JSON; invalid samples are skipped
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

/** Returns a copy with empty texts and zeros in place of values that must not stay. */
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
