/**
 * Returns the namespaces to watch, from WATCH_NAMESPACE, for `cache.namespaces`. Returns undefined, for all
 * namespaces, when it is not set or empty. Several names are separated by commas, by Operator SDK's
 * convention.
 *
 * @throws Error when a name is not a valid namespace
 */
export function watchNamespaces(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] | undefined {
  const text = (env.WATCH_NAMESPACE ?? "").trim();
  if (text === "") return undefined;
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      throw new Error(
        `WATCH_NAMESPACE is ${JSON.stringify(text)}: ${JSON.stringify(name)} is not a valid namespace name; set one name, several separated by commas, or nothing for all`,
      );
    }
  }
  return [...new Set(names)];
}
