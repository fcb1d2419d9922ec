import type { Entry } from "@operator-path/walkthrough";

/** Returns what a command changes in another way than by a file: the verb, and the object's name. Undefined: nothing. */
export function changeOf({
  kind,
  text,
}: Entry): { readonly verb: string; readonly name: string } | undefined {
  if (kind !== "command" || /\s--dry-run\b/.test(text)) return undefined;
  const [program, verb = "", ...rest] = wordsOf(text);
  if (program === "helm")
    return /^(?:install|upgrade|rollback|uninstall)$/.test(verb)
      ? { verb, name: nameIn(rest[0] ?? "") }
      : undefined;
  if (program !== "kubectl" || !/^(?:scale|set|patch|label|annotate|run|create)$/.test(verb))
    return undefined;
  // catch-up makes namespaces and the objects of files.
  if (verb === "create" && (/^(?:ns|namespace|token)$/.test(rest[0] ?? "") || /\s-[fk]\b/.test(text)))
    return undefined;
  const [target = "", name = target] = verb === "set" ? rest.slice(1) : rest;
  return { verb, name: nameIn(verb === "run" || target.includes("/") ? target : name) };
}

/** Returns the words of a command that are no flags. */
function wordsOf(command: string): string[] {
  return command.split(/\s+/).filter((word) => !word.startsWith("-") && word !== "\\");
}

/** Returns the words of a `kubectl delete`: files and objects. Empty for another command. */
export function deletedBy(command: string): string[] {
  return /^kubectl\b.*\sdelete\b/.test(command) ? command.split(/\s+/) : [];
}

/** Returns the name in `pod/store`, `store`. */
export function nameIn(word: string): string {
  return word.replace(/^.*\//, "");
}
