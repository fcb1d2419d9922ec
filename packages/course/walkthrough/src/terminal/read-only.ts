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
 * Reports whether every command of a pipeline or list only reads, so that it may be repeated until its output
 * matches. Errs on the safe side: redirections to files, substitutions, unknown programs, and commands that
 * do not end by themselves (`-w`, `-f`) do not count as reading.
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

/** Reports whether a command keeps printing, in order of time: `get -w`, `logs -f`. */
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

/** Returns the first word that is neither a flag nor the value of a global flag. */
function verb(args: readonly string[]): string {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (/^(?:-n|--namespace|--context|--kubeconfig|-s|--server|--user|--cluster)$/.test(arg)) i++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}

/** Splits a simple command into words and operators. Undefined for syntax that only a shell can read. */
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
