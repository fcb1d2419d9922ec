/**
 * Reports whether two command lines do the same: but for spaces, continued lines, quotes, the parentheses of a
 * subshell, the word that ends a here-document, and what kubectl and pnpm take in several spellings and orders.
 */
export function isSameCommand(one: string, other: string): boolean {
  return spelledOut(one) === spelledOut(other);
}

function spelledOut(command: string): string {
  return command
    .replaceAll(/\\\n/g, " ")
    .replace(/<<-?\s*(['"]?)(\w+)\1(.*\n)\2\s*$/s, "<<END$3END")
    .replaceAll(/'([^']*)'/g, (_, text: string) => text.replaceAll("$", "\\$"))
    .replaceAll('"', "")
    .split(/(\|\|?|&&?|[;()\n])/)
    .filter((part) => !/^[\s()]*$/.test(part))
    .map((part) => wordsOf(part).join(" "))
    .join("\n");
}

function wordsOf(command: string): string[] {
  const [program = "", ...rest] = command.trim().split(/[ \t]+/);
  const words = rest.map((word) => (word.length > 1 ? word.replace(/\/$/, "") : word));
  if (program === "k" || program === "kubectl") {
    const end = words.indexOf("--");
    const own = end === -1 ? words : words.slice(0, end);
    return ["kubectl", ...own.flatMap(kubectlWords).sort(), ...words.slice(own.length)];
  }
  if (program !== "pnpm") return [program, ...words];
  const [first = "", ...more] = words[0] === "run" ? words.slice(1) : words;
  return ["pnpm", first === "i" ? "install" : first, ...more];
}

function kubectlWords(word: string): string[] {
  const [, flag, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
  if (flag !== undefined && value !== undefined) return [flags[flag] ?? flag, value];
  if (/^-(it|ti)$/.test(word)) return ["-i", "-t"];
  const [, short, joined] = /^(-[nolfc])=?(.+)$/s.exec(word) ?? [];
  if (short !== undefined && joined !== undefined) return [short, joined];
  const [, kind = "", name] = /^([a-z]+)(?:\/(.*))?$/s.exec(word) ?? [];
  if (kinds[kind] !== undefined) return [kinds[kind], ...(name === undefined ? [] : [name])];
  const names = word.split(",").map((one) => kinds[one] ?? one);
  return [flags[word] ?? names.join(",")];
}

const flags: Readonly<Record<string, string>> = {
  "--namespace": "-n",
  "--output": "-o",
  "--selector": "-l",
  "--filename": "-f",
  "--container": "-c",
  "--all-namespaces": "-A",
  "--watch": "-w",
  "--stdin": "-i",
  "--tty": "-t",
};

/** Names of kinds: `kubectl api-resources` lists the short ones. */
const kinds: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["pods", "po", "pod"],
    ["deployments", "deploy", "deployment"],
    ["replicasets", "rs", "replicaset"],
    ["services", "svc", "service"],
    ["configmaps", "cm", "configmap"],
    ["namespaces", "ns", "namespace"],
    ["serviceaccounts", "sa", "serviceaccount"],
    ["events", "ev", "event"],
    ["nodes", "no", "node"],
    ["leases", "lease"],
    ["customresourcedefinitions", "crd", "crds", "customresourcedefinition"],
  ].flatMap(([full = "", ...others]) => [full, ...others].map((name) => [name, full])),
);
