import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { stringify } from "yaml";
import type { Page } from "../page/page.ts";
import { claimsFileOf, readClaims } from "./claims.ts";
import { findProse, type Prose } from "./prose.ts";

/** How often a page says each code span, and each link. */
export type Names = Readonly<Record<string, number>>;

/** A code span or link that a page says more often than its claims file, or less often. */
export interface NameDifference {
  readonly name: string;
  readonly said: number;
  readonly listed: number;
  /** The last place that says it. */
  readonly at?: { readonly prose: Prose; readonly offset: number };
}

/**
 * Compares the code spans and links of a page with those that its claims file lists. A name in the place of another is a name
 * that exists, so nothing but the list can notice it.
 */
export function compareNames(prose: readonly Prose[], listed: Names): NameDifference[] {
  const said = countNames(prose);
  const all = new Set([...Object.keys(said), ...Object.keys(listed)]);
  return [...all].flatMap((name) => {
    if ((said[name] ?? 0) === (listed[name] ?? 0)) return [];
    const places = prose.flatMap((text) =>
      namesOf(text)
        .filter((one) => one.name === name)
        .map((one) => ({ prose: text, offset: one.at })),
    );
    const at = places.at(-1);
    return [{ name, said: said[name] ?? 0, listed: listed[name] ?? 0, ...(at && { at }) }];
  });
}

/** Writes the code spans and links of a page into its claims file. Its claims stay as they are. Returns whether the file has changed. */
export function acceptNames(page: Page): boolean {
  const file = claimsFileOf(page);
  const prose = findProse(page);
  if (existsSync(file) && compareNames(prose, readClaims(file).names).length === 0) return false;
  const before = existsSync(file) ? readFileSync(file, "utf8") : "claims: []\n";
  const claims = before.replace(/^names:[\s\S]*/m, "").trimEnd();
  const names = stringify({ names: countNames(prose) }, { lineWidth: 0 });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${claims}\n${names}`);
  return true;
}

function countNames(prose: readonly Prose[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of prose.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Code spans, and links with their targets. A caption is its target's path already. */
function namesOf({ spans, links }: Prose): { name: string; at: number }[] {
  return [
    ...spans.map(({ text, at }) => ({ name: text, at })),
    ...links.filter(({ alone }) => !alone).map(({ text, href, at }) => ({ name: `[${text}](${href})`, at })),
  ];
}
