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
  /** The requested names. For each one that is taken, the name accepted before. */
  names: DefinitionNames;
  /** The status of the condition NamesAccepted. */
  status: "True" | "False";
  reason: string;
  message: string;
}

/**
 * Decides which names a definition may have (NamingConditionController of apiextensions-apiserver).
 * Definitions of a group cannot share a plural, singular or short name, a kind, or a list kind. The first
 * definition keeps a name until it releases it. Of several conflicts, the message names the last.
 *
 * @param asked spec.names, with defaults
 * @param accepted status.acceptedNames so far
 * @param taken status.acceptedNames of all definitions of the group, including this one
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

  /** Returns the name that the definition has from now on. */
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
