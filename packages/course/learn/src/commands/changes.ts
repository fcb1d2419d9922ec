import type { Entry } from "@operator-path/walkthrough";

/** What a command does to an object: the verb, and the object as the command names it. */
export interface Change extends NamedObject {
  readonly verb: string;
}

/** An object as a command names it: `pod/store`, `deployment web`. */
export interface NamedObject {
  /** `pod`, `deployment`, `pbt`. For helm, `release`. */
  readonly type: string;
  readonly name: string;
}

/** Returns what a command changes without a file. Undefined: nothing, or only a status. */
export function changeOf({ kind, text }: Entry): Change | undefined {
  if (kind !== "command" || /\s--(?:dry-run|subresource=status)\b/.test(text)) return undefined;
  const [program, verb = "", ...rest] = argumentsOf(text);
  if (program === "helm")
    return /^(?:install|upgrade|rollback|uninstall)$/.test(verb)
      ? { verb, type: "release", name: rest[0] ?? "" }
      : undefined;
  if (program !== "kubectl" || !/^(?:scale|set|patch|label|annotate|run|create)$/.test(verb))
    return undefined;
  // catch-up makes namespaces and the objects of files.
  if (verb === "create" && (/^(?:ns|namespace|token)$/.test(rest[0] ?? "") || /\s-[fk]\b/.test(text)))
    return undefined;
  const [target = "", name = target] = verb === "set" ? rest.slice(1) : rest;
  if (verb === "run") return { verb, type: "pod", name: target };
  return { verb, ...(objectIn(target) ?? { type: target, name }) };
}

/** What a `kubectl delete` deletes. */
export interface Deleted {
  /** The arguments of `-f` and `-k`. */
  readonly files: readonly string[];
  readonly objects: readonly NamedObject[];
}

/** Returns what a command deletes by file and by name. */
export function deletedBy(command: string): Deleted {
  if (!/^kubectl\b.*\sdelete\b/.test(command)) return { files: [], objects: [] };
  const files = [...command.matchAll(/\s-[fk]\s+(\S+)/g)].map(([, file = ""]) => file);
  const words = argumentsOf(command).filter((word) => !files.includes(word));
  const [first = "", ...names] = words.slice(words.indexOf("delete") + 1);
  const objects = objectIn(first)
    ? [first, ...names].flatMap((word) => objectIn(word) ?? [])
    : first.split(",").flatMap((type) => names.map((name) => ({ type, name })));
  return { files, objects };
}

/** Returns a command that gets what a command deletes by name. Undefined if it deletes in another way, or nothing. */
export function getOfDeleted(command: string): string | undefined {
  if (!/^kubectl delete [^$|&;<>]*$/.test(command)) return undefined;
  if (/\s(?:-[fkl]|--all|--field-selector)\b/.test(command)) return undefined;
  const flags = /\s--(?:wait|ignore-not-found|grace-period|force|timeout|cascade|now)\b\S*/g;
  return command.replace("delete", "get").replaceAll(flags, "");
}

/** Reports whether a command may name an object of a kind. A custom kind may have a short name, which is not known. */
export function mayName({ type, name }: NamedObject, object: NamedObject): boolean {
  if (name !== object.name) return false;
  const [one, other] = [type, object.type].map((word) => {
    const singular = word.toLowerCase().replace(/s$/, "");
    return aliases[singular] ?? singular;
  });
  return one === other || !(builtIn.test(one ?? "") || builtIn.test(other ?? ""));
}

const aliases: Readonly<Record<string, string>> = {
  crd: "customresourcedefinition",
  deploy: "deployment",
  svc: "service",
  n: "namespace",
};
const builtIn =
  /^(?:pod|deployment|replicaset|service|serviceaccount|configmap|secret|namespace|node|customresourcedefinition|clusterrole|clusterrolebinding|role|rolebinding)$/;

/** Returns the words of a command without its flags, and without the namespace. */
function argumentsOf(command: string): string[] {
  return command
    .replaceAll(/\s(?:-n|--namespace)[ =]\S+/g, "")
    .split(/\s+/)
    .filter((word) => !word.startsWith("-") && word !== "\\");
}

/** Returns the object that `pod/store` names. Undefined for another word. */
function objectIn(word: string): NamedObject | undefined {
  const [, type, name] = /^(.*?)\/(.*)$/.exec(word) ?? [];
  return type === undefined || name === undefined ? undefined : { type, name };
}
