import { camelCase } from "@operator-path/controller-gen";
import { kindNames } from "@operator-path/operator-sdk";
import type { Identity } from "./identity.ts";

/** A word and its replacement. */
export type Pair = readonly [from: string, to: string];

/** Replacements in texts and paths, and in identifiers of TypeScript. */
export interface Words {
  readonly text: readonly Pair[];
  readonly identifiers: readonly Pair[];
}

/** Returns the replacements for all names that a project derives from its identity. */
export function wordsFor(old: Identity, wanted: Identity): Words {
  const [before, after] = [formsOf(old), formsOf(wanted)];
  const kinds: Pair[] = [
    [before.plurals, after.plurals],
    [before.kind, after.kind],
    [before.upper, after.upper],
  ];
  const renamed = old.name !== wanted.name || old.domain !== wanted.domain;
  const text: Pair[] = [
    // A kind in small letters that is also the project's name is replaced as the project's name, except here.
    [`singular: ${before.lower}`, `singular: ${after.lower}`],
    ...[old.name, ...(old.alsoNamed ?? [])].map((name): Pair => [name, wanted.name]),
    ...kinds,
    [before.plural, after.plural],
    [before.lower, after.lower],
    [before.fullGroup, after.fullGroup],
    // Paths of webhooks.
    [before.fullGroup.replaceAll(".", "-"), after.fullGroup.replaceAll(".", "-")],
    [old.domain, wanted.domain],
    // File names of samples. A group alone may be any word, such as "cache".
    ...(old.group === ""
      ? []
      : [old.version, ...(old.otherVersions ?? [])].map(
          (version): Pair => [`${old.group}_${version}`, `${wanted.group}_${version}`],
        )),
    ...samplesOf(old, after.lower),
    ...(old.repo === undefined ? [] : [[old.repo, renamed ? wanted.name : old.repo] as const]),
    ...(old.shortName === undefined
      ? []
      : [[`[${old.shortName}]`, `[${shortNameOf(old, wanted)}]`] as const]),
  ];
  // For kinds such as Redis or Series, one object needs another name than the resource.
  const one = after.camel === after.resource ? `${after.camel}Object` : after.camel;
  const identifiers: Pair[] = [...kinds, [before.resource, after.resource], [before.camel, one]];
  return { text: unique(text), identifiers: unique(identifiers) };
}

function formsOf(identity: Identity) {
  const { kind, group, version, domain } = identity;
  const { kinds, kindLower, plural, resource } = kindNames({ domain }, { group, version, kind });
  return {
    kind,
    lower: kindLower,
    upper: kind.toUpperCase(),
    camel: camelCase(kind),
    plural,
    resource,
    plurals: kinds,
    fullGroup: group === "" ? domain : `${group}.${domain}`,
  };
}

function samplesOf({ alsoSamples = [] }: Identity, lower: string): Pair[] {
  return alsoSamples.map((word) => [word, lower]);
}

/** Short names of built-in kinds. Using one again would make kubectl ambiguous. */
const taken = new Set(
  "cm cs csr deploy ds ep ev hpa ing limits netpol no ns pc pdb po psp pv pvc quota rc rs sa sc sts svc cj crd crds".split(
    " ",
  ),
);

/** Returns the capitals of the kind, or its first three letters, and more if those are taken. */
function shortNameOf(old: Identity, { kind }: Identity): string {
  if (kind === old.kind) return old.shortName ?? "";
  const capitals = kind.replace(/[^A-Z]/g, "").toLowerCase();
  const lower = kind.toLowerCase();
  const candidates = [...(capitals.length > 1 ? [capitals] : []), lower.slice(0, 3), lower.slice(0, 4)];
  return candidates.find((one) => !taken.has(one)) ?? lower;
}

/** Keeps the first replacement of each word. */
function unique(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.toReversed()).entries()];
}
