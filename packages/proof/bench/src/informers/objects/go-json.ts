const special = /[<>&\u2028\u2029]/g;

/** Returns JSON like Go's encoder in kube-apiserver: compact, with these five characters escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    special,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Returns the value with the members of every object in alphabetical order, as a server sends custom
 * resources.
 */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
