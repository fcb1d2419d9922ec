import { commands, type FlagKind, flagKind } from "./helm-flags.ts";
import { Refusal } from "./tool-paths.ts";

export interface HelmArguments {
  /** The arguments for helm on the host. */
  readonly args: readonly string[];
  /** The value of `--kubeconfig`, unchanged. The flag is removed from `args`. */
  readonly kubeconfig: string | undefined;
  /** The value of `--registry-config`, as helm gets it. */
  readonly registryConfig: string | undefined;
  /** Whether the arguments name an API server. */
  readonly hasServer: boolean;
}

/**
 * Returns helm's arguments with the host's paths. Only known flags pass: an unknown one may name any file or
 * start any program.
 *
 * @param toHost maps a path of the container, absolute or relative to the working folder
 * @param isThere whether the container has something at such a path
 * @throws Refusal
 */
export function helmArguments(
  given: readonly string[],
  toHost: (path: string) => string,
  isThere: (path: string) => boolean,
): HelmArguments {
  const path = (text: string) => (text === "-" || isUrl(text) ? text : toHost(text));
  const args: string[] = [];
  const command = commandOf(given);
  const found: { kubeconfig?: string; registryConfig?: string } = {};
  let isEnded = false;
  let hasServer = false;
  for (let i = 0; i < given.length; i++) {
    const word = given[i] as string;
    if (isEnded || !word.startsWith("-") || word === "-") {
      args.push(positional(word, toHost, isThere));
      continue;
    }
    if (word === "--") {
      isEnded = true;
      args.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const flag = equals < 0 ? word : word.slice(0, equals);
    const kind = flagKind(command, flag);
    if (kind === undefined) throw new Refusal(unknownFlag(flag));
    if (kind === "switch") {
      args.push(word);
      continue;
    }
    const value = equals < 0 ? given[++i] : word.slice(equals + 1);
    if (value === undefined) {
      // helm reports the missing value.
      args.push(word);
      continue;
    }
    hasServer ||= flag === "--kube-apiserver";
    if (flag === "--kubeconfig") found.kubeconfig = value;
    else {
      const mapped = mappedValue(kind, value, path);
      if (flag === "--registry-config") found.registryConfig = mapped;
      args.push(...(equals < 0 ? [flag, mapped] : [`${flag}=${mapped}`]));
    }
  }
  return { args, kubeconfig: found.kubeconfig, registryConfig: found.registryConfig, hasServer };
}

/** Returns the first word that is neither a flag nor a flag's value. */
function commandOf(given: readonly string[]): string {
  for (let i = 0; i < given.length; i++) {
    const word = given[i] as string;
    if (!word.startsWith("-")) {
      if (commands.has(word)) return word;
      throw new Refusal(
        `unknown command ${JSON.stringify(word)} for "helm" in a Pod that is a process of this machine`,
      );
    }
    const kind = flagKind("", word);
    if (kind !== undefined && kind !== "switch") i++;
  }
  return "";
}

function unknownFlag(flag: string): string {
  const way = /^-[^-]./.test(flag) ? ": write short flags one by one, with a space before their values" : "";
  return `the flag ${flag} is not passed on to helm in a Pod that is a process of this machine${way}`;
}

function mappedValue(kind: FlagKind, value: string, path: (text: string) => string): string {
  if (kind === "value" || value === "") return value;
  if (/["\\\n]/.test(value))
    throw new Refusal(`${JSON.stringify(value)}: paths may not contain quotes and backslashes`);
  if (kind === "path") return path(value);
  if (kind === "list") return value.split(",").map(path).join(",");
  return value
    .split(",")
    .map((part) => part.replace(/^([^=]*=)(.+)$/s, (_, key: string, file: string) => key + path(file)))
    .join(",");
}

/**
 * Maps a positional argument. `stable/web` may be a chart of a repository. `./web`, `/app/web` and existing
 * paths are files.
 */
function positional(
  word: string,
  toHost: (path: string) => string,
  isThere: (path: string) => boolean,
): string {
  if (isUrl(word) || word === "" || word === "-") return word;
  return /^[/.]|(?:^|\/)\.\.(?:\/|$)/.test(word) || (word.includes("/") && isThere(word))
    ? toHost(word)
    : word;
}

const isUrl = (text: string) => /^(?:https?|oci):\/\//i.test(text);

/** Variables that helm in a Pod receives. None of them names a program. */
const allowedVariables =
  /^(?:HELM_(?!PLUGINS$|NO_PLUGINS$|BIN$)\w+|KUBERNETES_SERVICE_(?:HOST|PORT)|(?:HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ|LANG|LC_\w+|SSL_CERT_(?:FILE|DIR)|XDG_(?:CACHE|CONFIG|DATA)_HOME|HOME|TMPDIR)$/;

const paths =
  /^(?:HOME|TMPDIR|SSL_CERT_(?:FILE|DIR)|XDG_\w+|HELM_(?:(?:CACHE|CONFIG|DATA)_HOME|REGISTRY_CONFIG|REPOSITORY_(?:CACHE|CONFIG)|CONTENT_CACHE|KUBECAFILE))$/;

/**
 * Returns helm's environment without KUBECONFIG: the known variables that the program in the container sets,
 * with the host's paths. It always sets helm's folders, because helm would otherwise use the host user's.
 *
 * @param toHost maps a path of the container, absolute or relative to the working folder
 * @param empty an empty folder of the host, for plugins, credential helpers and other programs
 */
export function helmEnvironment(
  given: Readonly<Record<string, string>>,
  toHost: (path: string) => string,
  empty: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries({ HOME: "/", TMPDIR: "/tmp", ...given })) {
    if (!allowedVariables.test(name)) continue;
    env[name] = paths.test(name) && value !== "" ? toHost(value) : value;
  }
  return { ...env, PATH: empty, HELM_PLUGINS: empty, HELM_NO_PLUGINS: "1", DOCKER_CONFIG: empty };
}
