/** Variables that name a file or folder. */
const paths = /^(?:HOME|TMPDIR|SSL_CERT_FILE|XDG_\w+_HOME|HELM_\w*(?:HOME|CACHE|CONFIG|FILE|PLUGINS))$/;
/** Variables with a list of them. */
const lists = /^(?:PATH|KUBECONFIG|SSL_CERT_DIR|XDG_\w+_DIRS)$/;
/** What would load code into the tool, and what Node tells other Nodes. */
const dropped = /^(?:LD_.*|DYLD_.*|NODE_OPTIONS)$/;

/** A program that is given no PATH looks there. */
export const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * The environment of a tool: as the program in the container gives it, its paths as the host has them. What says where
 * temporary files and other programs are is always there, or the host's would be taken.
 *
 * @param toHost an absolute path of the container → one of the host
 */
export function toolEnvironment(
  given: Readonly<Record<string, string>>,
  toHost: (path: string) => string,
): Record<string, string> {
  const map = (path: string) => (path.startsWith("/") ? toHost(path) : path);
  const kept = Object.entries({ TMPDIR: "/tmp", PATH: defaultPath, ...given }).filter(
    ([name]) => !dropped.test(name),
  );
  return {
    ...Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        lists.test(name) ? value.split(":").map(map).join(":") : paths.test(name) ? map(value) : value,
      ]),
    ),
    // An image brings no programs, neither by the name of a plugin.
    HELM_NO_PLUGINS: "1",
  };
}
