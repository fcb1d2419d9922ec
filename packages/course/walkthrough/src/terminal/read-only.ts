const kubectlReads = new Set([
  "get",
  "describe",
  "logs",
  "explain",
  "api-resources",
  "api-versions",
  "auth",
  "wait",
  "events",
  "version",
  "cluster-info",
  "top",
  "diff",
]);
const configReads = new Set(["current-context", "view", "get-contexts", "get-clusters", "get-users"]);
const helmReads = new Set(["list", "ls", "status", "get", "history", "version"]);
const filters = new Set([
  "grep",
  "egrep",
  "sed",
  "awk",
  "head",
  "tail",
  "sort",
  "uniq",
  "wc",
  "cut",
  "tr",
  "jq",
  "yq",
  "cat",
  "ls",
  "echo",
  "column",
  "test",
  "true",
]);

/**
 * True when every command of a pipeline or list only reads, so that it may be repeated until it matches.
 * A judgement on the safe side: redirections to files, substitutions and whatever is not known are not read-only;
 * neither is what does not end by itself (`-w`, `-f`).
 */
export function isReadOnly(command: string): boolean {
  const words = splitWords(command.replaceAll("\\\n", " "));
  if (!words) return false;
  const commands: string[][] = [[]];
  for (const word of words) {
    if (/^(?:\||\|\||&&|;)$/.test(word)) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands.every(readsOnly);
}

/** True for a command that goes on by itself and prints in order of time: `get -w`, `logs -f`. */
export function isWatch(command: string): boolean {
  return /(?:^|\s)(?:-w|--watch|--watch-only|-f|--follow)(?:\s|=true|$)/.test(command);
}

function readsOnly(words: readonly string[]): boolean {
  const rest = [...words];
  while (/^[A-Za-z_]\w*=/.test(rest[0] ?? "")) rest.shift();
  const [program, ...args] = rest;
  if (program === undefined) return false;
  if (program === "tail" && args.some((arg) => /^-[a-zA-Z]*[fF]|^--follow/.test(arg))) return false;
  if (filters.has(program))
    return !(program === "sed" && args.some((arg) => /^-[a-zA-Z]*i|^--in-place/.test(arg)));
  if (program === "curl")
    return !args.some((arg) =>
      /^(?:-X|--request|-d|--data.*|-F|--form|-T|--upload-file|-o|-O|--output)/.test(arg),
    );
  if (program !== "kubectl" && program !== "helm") return false;
  if (
    args.some((arg) => /^(?:-w|-f|--watch(?:-only)?(?:=true)?|--follow(?:=true)?)$/.test(arg)) &&
    !/^(?:diff|explain)$/.test(verb(args))
  )
    return false;
  if (args.some((arg) => /watch=(?:1|true)/.test(arg))) return false;
  const name = verb(args);
  if (program === "helm") return helmReads.has(name);
  return name === "config"
    ? configReads.has(verb(args.slice(args.indexOf(name) + 1)))
    : kubectlReads.has(name);
}

/** The first word that is no flag, nor the value of one that stands before the verb. */
function verb(args: readonly string[]): string {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (/^(?:-n|--namespace|--context|--kubeconfig|-s|--server|--user|--cluster)$/.test(arg)) i++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}

/** Words and operators of a simple shell text; undefined for anything that needs a shell to be understood. */
function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const token =
    /\s*(?:(2>&1|[12]?>\/dev\/null)(?=\s|$)|(\|\||&&|\||;)|((?:[^\s"'|&;<>()`$\\]|\\.|'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*"|\$(?!\())+))/y;
  let at = 0;
  const trimmed = text.trim();
  while (at < trimmed.length) {
    token.lastIndex = at;
    const match = token.exec(trimmed);
    if (!match) return undefined;
    if (!match[1]) words.push(match[2] ?? (match[3] ?? "").replaceAll(/['"]/g, ""));
    at = token.lastIndex;
  }
  return words;
}
