const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];

/**
 * The proxies between here and a cluster, for programs of a page. What the page serves itself is on this machine, and is
 * never asked for by way of one.
 */
export function proxyVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = names
    .flatMap((name) => [name, name.toLowerCase()])
    .flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  if (given.length === 0) return {};
  const direct = [env.NO_PROXY ?? env.no_proxy, "localhost", "127.0.0.1", "::1"].filter(Boolean).join(",");
  return { ...Object.fromEntries(given), NO_PROXY: direct, no_proxy: direct };
}
