/** Flags whose value is a path; a list of them for `--values`. */
const pathFlags = new Set([
  ..."-f --values --kubeconfig --kube-ca-file --ca-file --cert-file --key-file --keyring --passphrase-file".split(
    " ",
  ),
  ..."--registry-config --repository-cache --repository-config --content-cache".split(" "),
  ..."-d --destination --output-dir --untardir".split(" "),
]);

/** Flags whose value is the next word, unless it stands behind `=`, and is no path. */
const valueFlags = new Set([
  ..."--set --set-file --set-json --set-literal --set-string --description --labels -l --selector".split(" "),
  ..."-n --namespace --kube-apiserver --kube-as-group --kube-as-user --kube-context --kube-token".split(" "),
  ..."--kube-tls-server-name --repo --url --username -u --password -p --version --app-version".split(" "),
  ..."--timeout --history-max --revision --max -m --template --jsonpath --name-template -s --show-only".split(
    " ",
  ),
  ..."-a --api-versions --kube-version --burst-limit --qps --cascade --color --colour -o --output".split(" "),
  ..."--max-col-width --offset --filter --time-format --server-side --merge --endpoint".split(" "),
]);

/** Without a value of their own, or with one behind `=`: everything else that begins with a dash. */
type Kind = "path" | "value" | "neither";
const kindOf = (flag: string): Kind =>
  pathFlags.has(flag) ? "path" : valueFlags.has(flag) ? "value" : "neither";

/**
 * What follows `helm` on a command line, its paths as the host has them: those of flags that take one, of `--set-file`, and
 * words that look like one, as a chart does. Names of repositories' charts, URLs, and values stay as they are.
 *
 * @param toHost a path of the container, absolute or from the working directory → one of the host
 */
export function helmArguments(args: readonly string[], toHost: (path: string) => string): string[] {
  const path = (text: string) => (text === "-" || isUrl(text) ? text : toHost(text));
  const mapped: string[] = [];
  let next: { flag: string; kind: Kind } | undefined;
  let isEnded = false;
  for (const word of args) {
    if (next) {
      mapped.push(mappedValue(next.flag, next.kind, word, path));
      next = undefined;
    } else if (isEnded || !word.startsWith("-") || word === "-") mapped.push(positional(word, path));
    else if (word === "--") {
      isEnded = true;
      mapped.push(word);
    } else {
      const [, flag = word, value] = /^(--[^=]+|-[^-])=?([\s\S]+)?$/.exec(word) ?? [];
      const kind = kindOf(flag);
      if (value === undefined) {
        mapped.push(word);
        if (kind !== "neither") next = { flag, kind };
      } else mapped.push(word.slice(0, -value.length) + mappedValue(flag, kind, value, path));
    }
  }
  return mapped;
}

function mappedValue(flag: string, kind: Kind, value: string, path: (text: string) => string): string {
  if (flag === "--set-file") return value.replace(/(=)([^,]+)/g, (_, equals, file) => equals + path(file));
  if (kind !== "path" || value === "") return value;
  return flag === "-f" || flag === "--values" ? value.split(",").map(path).join(",") : path(value);
}

/** `stable/web` may be a chart of a repository, `./web` and `/app/web` are folders. */
function positional(word: string, path: (text: string) => string): string {
  return /^[/.]|\/\.\.(?:\/|$)/.test(word) && !isUrl(word) ? path(word) : word;
}

const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
