/**
 * The namespaces that an operator is told to watch by WATCH_NAMESPACE, for `cache.namespaces`: undefined, all of them,
 * when it is not set or empty; otherwise one, or several with commas between (Operator SDK's convention).
 *
 * @throws Error when it names something that is no namespace
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
        `WATCH_NAMESPACE is ${JSON.stringify(text)}: ${JSON.stringify(name)} is no name of a namespace; give one, or several with commas between, or none for all`,
      );
    }
  }
  return [...new Set(names)];
}
