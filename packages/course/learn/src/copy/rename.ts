import { UserError } from "@operator-path/cluster/user-error";
import { isReservedWord } from "@operator-path/controller-gen";
import { type Identifier, identifiersOf } from "./identifiers.ts";
import type { Pair, Words } from "./words.ts";

/** Files of a project: path with forward slashes → bytes. */
export type Files = ReadonlyMap<string, Buffer>;

/**
 * Renames paths, texts and identifiers of TypeScript, and keeps the case of each.
 *
 * @throws UserError if a new name exists in the code already, or is a reserved word
 */
export function renameFiles(files: Files, words: Words): Files {
  const rename = replacer(words.text);
  const renameIdentifier = replacer(words.identifiers);
  const identifiers = new Map(
    [...files]
      .filter(([path]) => path.endsWith(".ts"))
      .map(([path, bytes]) => [path, identifiersOf(path, bytes.toString())]),
  );
  // A label key in a map must be renamed as it is in a selector, which is text.
  const renamed = ({ name }: Identifier): string =>
    name.includes("_") ? rename(name) : renameIdentifier(name);
  checkNames(identifiers, renamed);
  return new Map(
    [...files].map(([path, bytes]) => {
      if (bytes.includes(0)) return [rename(path), bytes] as const;
      const text = bytes.toString();
      let result = "";
      let from = 0;
      for (const identifier of identifiers.get(path) ?? []) {
        result += rename(text.slice(from, identifier.at)) + renamed(identifier);
        from = identifier.at + identifier.name.length;
      }
      return [rename(path), Buffer.from(result + rename(text.slice(from)))] as const;
    }),
  );
}

/** Replaces all words in one pass, the longest first, so that no replacement is replaced again. */
function replacer(pairs: readonly Pair[]): (text: string) => string {
  const by = new Map(pairs);
  const alternatives = [...by.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(alternatives.join("|"), "g");
  return (text) => text.replaceAll(pattern, (word) => by.get(word) ?? word);
}

/** Rejects two identifiers that would get one name. The compiler would not detect all of them. */
function checkNames(
  identifiers: ReadonlyMap<string, readonly Identifier[]>,
  renamed: (identifier: Identifier) => string,
): void {
  for (const [path, all] of identifiers) {
    const meaning = new Map(all.filter((one) => renamed(one) === one.name).map(({ name }) => [name, name]));
    for (const one of all) {
      const name = renamed(one);
      if (name !== one.name && isReservedWord(name))
        throw new UserError(
          `--kind: a variable would be called ${name}, a reserved word of TypeScript: choose another kind`,
        );
      const other = meaning.get(name) ?? one.name;
      if (other === name && one.name !== name)
        throw new UserError(
          `--kind: ${one.name} would become ${name}, but ${path} already has a ${name}: choose another kind`,
        );
      if (other !== one.name)
        throw new UserError(
          `--kind: ${other} and ${one.name} of ${path} would both become ${name}: choose another kind`,
        );
      meaning.set(name, one.name);
    }
  }
}
