/** What a helm in a Pod is told by its environment. Nothing that names a program is among it. */
const kept =
  /^(?:HELM_(?!PLUGINS$|NO_PLUGINS$|BIN$)\w+|KUBERNETES_SERVICE_(?:HOST|PORT)|(?:HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ|LANG|LC_\w+|SSL_CERT_(?:FILE|DIR)|XDG_(?:CACHE|CONFIG|DATA)_HOME|HOME|TMPDIR)$/;

const paths =
  /^(?:HOME|TMPDIR|SSL_CERT_(?:FILE|DIR)|XDG_\w+|HELM_(?:(?:CACHE|CONFIG|DATA)_HOME|REGISTRY_CONFIG|REPOSITORY_(?:CACHE|CONFIG)|CONTENT_CACHE|KUBECAFILE))$/;

/**
 * Returns helm's environment without KUBECONFIG: the known variables that the program in the container sets, with the
 * host's paths. It always names helm's folders, because helm would otherwise use the host user's.
 *
 * @param toHost a path of the container, absolute or from the working folder → one of the host
 * @param empty a folder of the host with nothing in it, for plugins, credential helpers and whatever else is a program
 */
export function helmEnvironment(
  given: Readonly<Record<string, string>>,
  toHost: (path: string) => string,
  empty: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries({ HOME: "/", TMPDIR: "/tmp", ...given })) {
    if (!kept.test(name)) continue;
    env[name] = paths.test(name) && value !== "" ? toHost(value) : value;
  }
  return { ...env, PATH: empty, HELM_PLUGINS: empty, HELM_NO_PLUGINS: "1", DOCKER_CONFIG: empty };
}
