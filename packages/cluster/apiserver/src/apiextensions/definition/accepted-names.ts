import { isDeepStrictEqual } from "node:util";

/** apiextensions/v1 CustomResourceDefinitionNames, in the order in which they are written. */
export interface DefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface NamesVerdict {
  /** Those that were asked for, but for names that are taken: there, what was accepted before. */
  names: DefinitionNames;
  /** Of the condition NamesAccepted. */
  status: "True" | "False";
  reason: string;
  message: string;
}

/**
 * Decides which names a definition may have. Within a group no two definitions share a plural, singular or short name, nor
 * a kind or the kind of a list: who comes first has them until it lets go of them. Of several conflicts the last is told.
 * (apiextensions-apiserver, NamingConditionController)
 *
 * @param asked spec.names, defaults filled in
 * @param accepted status.acceptedNames so far
 * @param taken status.acceptedNames of all definitions of the group, this one included
 */
export function acceptNames(
  asked: DefinitionNames,
  accepted: DefinitionNames,
  taken: readonly DefinitionNames[],
): NamesVerdict {
  const resources = new Set(
    taken.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(taken.flatMap(({ kind, listKind }) => [kind, listKind]));
  let conflict: { reason: string; message: string } | undefined;

  /** The name to have from now on. */
  function claim<Name extends string | undefined>(
    name: Name,
    own: Name,
    used: ReadonlySet<string | undefined>,
    reason: string,
  ): Name {
    if (name === own || !used.has(name)) return name;
    conflict = { reason, message: inUse([name as string]) };
    return own;
  }

  function claimShortNames(): string[] {
    const own = accepted.shortNames ?? [];
    const names = asked.shortNames ?? [];
    if (isDeepStrictEqual(names, own)) return own;
    const refused = names.filter((name) => name !== "" && !own.includes(name) && resources.has(name));
    if (refused.length === 0) return names;
    conflict = { reason: "ShortNamesConflict", message: inUse(refused) };
    return own;
  }

  const plural = claim(asked.plural, accepted.plural, resources, "PluralConflict");
  const singular = claim(asked.singular, accepted.singular, resources, "SingularConflict");
  const shortNames = claimShortNames();
  const kind = claim(asked.kind, accepted.kind, kinds, "KindConflict");
  const listKind = claim(asked.listKind, accepted.listKind, kinds, "ListKindConflict");
  const { categories = [] } = asked;
  const names: DefinitionNames = {
    plural,
    ...(singular === undefined ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === undefined ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  };
  if (conflict === undefined) {
    return { names, status: "True", reason: "NoConflicts", message: "no conflicts found" };
  }
  return { names, status: "False", ...conflict };
}

function inUse(names: readonly string[]): string {
  const messages = [...new Set(names)].map((name) => `${JSON.stringify(name)} is already in use`);
  return messages.length === 1 ? (messages[0] as string) : `[${messages.join(", ")}]`;
}
