import { acronyms, endings, words } from "../generated/plural-rules.ts";

/**
 * Returns the plural of a kind by the rules of flect, the inflection library of controller-tools: Memcached →
 * Memcacheds, Proxy → Proxies, Child → Children. Keeps upper and lower case; the name of a resource is the
 * result in lower case.
 */
export function pluralize(kind: string): string {
  const word = lastWord(kind);
  tables ??= createTables();
  const { singular, plurals, rules } = tables;
  const ofKind = singular.get(kind);
  if (ofKind !== undefined) return ofKind;
  if (plurals.has(kind) || plurals.has(word.toLowerCase())) return kind;
  const ofWord = singular.get(word.toLowerCase());
  if (ofWord !== undefined)
    return replaceEnd(kind, word, word === capitalize(word) ? capitalize(ofWord) : ofWord);
  const rule = rules.find(([ending]) => word.endsWith(ending));
  if (rule !== undefined) {
    const [ending, plural] = rule;
    return plural === undefined ? kind : replaceEnd(kind, word, word.slice(0, -ending.length) + plural);
  }
  return word.toLowerCase().endsWith("s") ? kind : `${kind}s`;
}

interface Tables {
  readonly singular: ReadonlyMap<string, string>;
  readonly plurals: ReadonlySet<string>;
  /** An ending and its plural; undefined for an ending that is already plural. */
  readonly rules: readonly (readonly [string, string | undefined])[];
}

let tables: Tables | undefined;

function createTables(): Tables {
  const singular = new Map<string, string>();
  const plurals = new Set<string>();
  const rules: (readonly [string, string | undefined])[] = [];
  for (const [ending, plural] of endings) rules.push([plural, undefined], [ending, plural]);
  for (const word of words) {
    singular.set(word.singular, word.plural);
    if (word.unidirectional !== true) {
      plurals.add(word.plural);
      if (word.alternative !== undefined) plurals.add(word.alternative);
    }
    // These rules are for words that end in this one. flect checks the last rules first.
    if (word.exact !== true) rules.unshift([word.plural, undefined], [word.singular, word.plural]);
  }
  return { singular, plurals, rules };
}

const knownAcronyms = new Set(acronyms);

/** Returns the last word of a name in camel case. */
function lastWord(name: string): string {
  if (knownAcronyms.has(name.toUpperCase())) return name.toUpperCase();
  let word = "";
  let previous = "";
  for (const character of name) {
    const upper = /\p{Lu}/u.test(character);
    if (upper && (!/\p{Lu}/u.test(previous) || knownAcronyms.has(word.toUpperCase()))) word = "";
    word += character;
    previous = character;
  }
  return knownAcronyms.has(word.toUpperCase()) ? word.toUpperCase() : word;
}

function replaceEnd(name: string, end: string, by: string): string {
  return (name.endsWith(end) ? name.slice(0, -end.length) : name) + by;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
