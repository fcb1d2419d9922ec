import { posix } from "node:path";

/** Fields of a kubeconfig that name a file, in YAML and in JSON; and the program of an exec plugin. */
const field =
  /((?:^|[\s{,"'-])(?:certificate-authority|client-certificate|client-key|tokenFile|token-file|command)["']?\s*:\s*)("[^"\n]*"|'[^'\n]*'|[^\s,}#"'](?:[^\s,}#]|(?<=\S)#|[ \t]+(?=[^\s,}#]))*)/g;

/**
 * A kubeconfig of a container, its paths as the host has them.
 * @param folder where it is in the container: relative paths begin there
 * @param toHost an absolute path of the container → one of the host
 */
export function kubeconfigForHost(text: string, folder: string, toHost: (path: string) => string): string {
  return text.replace(field, (whole: string, name: string, quoted: string) => {
    const path = quoted.replace(/^(["'])(.*)\1$/, "$2");
    // The name of a program is looked for on the PATH.
    if (path === "" || (name.includes("command") && !path.includes("/"))) return whole;
    return name + JSON.stringify(toHost(posix.resolve(folder, path)));
  });
}
