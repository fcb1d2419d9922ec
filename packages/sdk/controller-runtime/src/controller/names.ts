/** Names by registry: two controllers with one name would share their metrics. */
const taken = new WeakMap<object, Set<string>>();

/** @throws Error when a controller with the same metrics registry has that name */
export function claimName(registry: object, name: string): void {
  const names = taken.get(registry) ?? new Set();
  taken.set(registry, names);
  if (names.has(name)) {
    throw new Error(
      `a controller named ${name} already exists: give this one another name with named(…), so that metrics and logs can distinguish them`,
    );
  }
  names.add(name);
}
