import { matchesGlob } from "node:path";
import type { KubernetesVersions } from "@operator-path/tools";
import { sites as allSites, forms, type Site, unrelated } from "./sites.ts";

/** A text whose version differs from that of `packages/cluster/tools/src/kubernetes-versions.ts`. */
export interface Difference {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly expected: string;
  /** What a person does before changing it; undefined where `bump-kubernetes` writes it. */
  readonly redo: string | undefined;
}

/** A file with its path from the root, separated by `/`. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Returns the places of the file that do not have these versions. */
export function differencesIn(
  { file, text }: TextFile,
  versions: KubernetesVersions,
  sites = allSites,
): Difference[] {
  return placesIn({ file, text }, versions, sites)
    .filter(({ found, expected }) => found !== expected)
    .map(({ at, found, expected, redo }) => ({ file, line: lineAt(text, at), found, expected, redo }));
}

/** Returns the file's text with these versions at every place that needs no person. */
export function rewrite({ file, text }: TextFile, versions: KubernetesVersions, sites = allSites): string {
  let result = text;
  const places = placesIn(
    { file, text },
    versions,
    sites.filter(({ redo }) => redo === undefined),
  );
  for (const { at, found, expected } of places.sort((a, b) => b.at - a.at))
    result = result.slice(0, at) + expected + result.slice(at + found.length);
  return result;
}

/** Returns `file:line text` for each mention of the versions' minor that no site and no entry of `unrelated` covers. */
export function unknownIn(
  { file, text }: TextFile,
  versions: KubernetesVersions,
  sites = allSites,
): string[] {
  const minor = versions.kubernetes.split(".")[1];
  const known = placesIn({ file, text }, versions, sites).map(
    ({ at, found }) => [at, at + found.length] as const,
  );
  for (const entry of unrelated.filter((each) => isIn(file, each.in)))
    for (const match of text.matchAll(entry.text)) known.push([match.index, match.index + match[0].length]);
  const mention = new RegExp(String.raw`(?<![\w.])v?[01]\.${minor}(?!\d)|kubectl-v${minor}(?!\d)`, "g");
  return [...text.matchAll(mention)]
    .filter(({ index, 0: found }) => !known.some(([from, to]) => from < index + found.length && index < to))
    .map(({ index }) => `${file}:${lineAt(text, index)} ${lineOf(text, index).trim().slice(0, 120)}`);
}

/** Returns whether the file is one of the site's. */
export function isIn(file: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(file, glob));
}

interface Place {
  readonly at: number;
  readonly found: string;
  readonly expected: string;
  readonly redo: string | undefined;
}

/** Where two places overlap, that of the first site counts. */
function placesIn({ file, text }: TextFile, versions: KubernetesVersions, sites: readonly Site[]): Place[] {
  const places: Place[] = [];
  const add = (at: number, found: string, site: Site, name?: string): void => {
    const overlaps = (place: Place): boolean =>
      place.at < at + found.length && at < place.at + place.found.length;
    if (!places.some(overlaps))
      places.push({ at, found, expected: expectedFor(name, found, versions), redo: site.redo });
  };
  // Most files have none of the words, which is faster to see than whether a glob fits.
  const possible = sites.filter((site) => wordsOf(site).every((words) => text.includes(words)));
  for (const site of possible.filter((each) => isIn(file, each.in))) {
    const { pattern, names } = compile(site.text);
    for (const match of text.matchAll(pattern)) {
      if (names.length === 0) add(match.index, match[0], site);
      for (const [index, name] of names.entries())
        add(match.indices?.[index + 1]?.[0] ?? 0, match[index + 1] ?? "", site, name);
    }
  }
  return places.sort((a, b) => a.at - b.at);
}

function expectedFor(name: string | undefined, found: string, versions: KubernetesVersions): string {
  if (name === undefined) return found;
  const { value, key = (version) => version } = formOf(name);
  const expected = value(versions);
  return key(found) === key(expected) ? found : expected;
}

function wordsOf(site: Site): string[] {
  return site.text.split(/\{\w+\}/);
}

function compile(text: string): { pattern: RegExp; names: string[] } {
  const parts = text.split(/\{(\w+)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const source = parts.map((part, index) =>
    index % 2 ? `(${formOf(part).pattern})` : part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"),
  );
  return { pattern: new RegExp(source.join(""), "dg"), names };
}

function formOf(name: string): (typeof forms)[string] {
  const form = forms[name];
  if (form === undefined)
    throw new Error(`a site of sites.ts names {${name}}, which is not one of its forms`);
  return form;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function lineOf(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1).split("\n", 1)[0] ?? "";
}
