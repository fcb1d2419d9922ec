/** By registry: two controllers of one name would add up in the same metrics. */
const taken = new WeakMap<object, Set<string>>();

/** @throws Error when a controller with the same metrics has that name */
export function claimName(registry: object, name: string): void {
  const names = taken.get(registry) ?? new Set();
  taken.set(registry, names);
  if (names.has(name)) {
    throw new Error(
      `there is a controller named ${name}: give this one another name with named(…), so that metrics and logs tell them apart`,
    );
  }
  names.add(name);
}
