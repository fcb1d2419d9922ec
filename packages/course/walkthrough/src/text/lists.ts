import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { stringify } from "yaml";
import type { Page } from "../page/page.ts";
import { type Claims, claimsFileOf } from "./claims.ts";
import { times } from "./locate-claims.ts";
import { findProse, type Prose } from "./prose.ts";

/** What a claims file lists of a page: the names of each text in their order, and the fences for reading. */
export type Lists = Pick<Claims, "names" | "fences">;

/** A difference between a page and its lists. */
export interface ListProblem {
  /** Line of the page; absent: the page does not say it. */
  readonly line?: number;
  readonly message: string;
}

/**
 * Compares a page's names and fences with the lists of its claims file. A name in the place of another is a name that exists,
 * and a claim covers words and not the lines around them, so nothing but the lists can notice either.
 */
export function compareLists(prose: readonly Prose[], listed: Lists): ListProblem[] {
  return [...compareNames(prose, listed.names), ...compareFences(prose, listed.fences)].map((problem) => ({
    ...problem,
    message: `${problem.message}: undo the change, or accept it (pnpm verify --text --accept PAGE)`,
  }));
}

function compareNames(prose: readonly Prose[], listed: Lists["names"]): ListProblem[] {
  const texts = prose.filter((text) => namesOf(text).length > 0);
  const said = texts.flatMap((text) =>
    namesOf(text).map(({ name, at }) => ({ name, line: text.lineAt(at) })),
  );
  const all = listed.flat();
  const wrongCounts = [...new Set([...said.map(({ name }) => name), ...all])].flatMap((name) => {
    const here = said.filter((one) => one.name === name);
    const there = all.filter((one) => one === name).length;
    if (here.length === there) return [];
    const message = `the page says \`${name}\` ${times(here.length)}, its list of names ${times(there)}`;
    const line = here.at(-1)?.line;
    return [{ message, ...(line !== undefined && { line }) }];
  });
  if (wrongCounts.length > 0) return wrongCounts;
  const moved = texts.find((text, i) => orderOf(text) !== JSON.stringify(listed[i]));
  if (!moved) return [];
  const names = namesOf(moved).map(({ name }) => `\`${name}\``);
  return [
    {
      line: moved.lineAt(0),
      message: `the list of names has ${names.join(", ")} in another order, or elsewhere`,
    },
  ];
}

function orderOf(text: Prose): string {
  return JSON.stringify(namesOf(text).map(({ name }) => name));
}

function compareFences(prose: readonly Prose[], listed: Lists["fences"]): ListProblem[] {
  const fences = prose.filter(isListed);
  const [first] = fences.flatMap(({ source, line }, i) => {
    const expected = listed[i]?.split("\n") ?? [];
    const at = source.split("\n").findIndex((text, n) => text !== expected[n]);
    return at === -1 ? [] : [{ line: line + at, message: "the list of fences has another line here" }];
  });
  if (first) return [first];
  return fences.map(({ source }) => source).join("") === listed.join("")
    ? []
    : [{ message: "the list of fences has lines that the page does not have" }];
}

/** Writes the names and fences of a page into its claims file. Its claims stay as they are. Returns whether the file has changed. */
export function acceptLists(page: Page): boolean {
  const file = claimsFileOf(page);
  const prose = findProse(page);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "claims: []\n";
  const claims = before.replace(/^(?:names|fences):[\s\S]*/m, "").trimEnd();
  const names = prose.map((text) => namesOf(text).map(({ name }) => name)).filter((one) => one.length > 0);
  const fences = prose.filter(isListed).map(({ source }) => source);
  const after = [
    claims,
    ...(names.length > 0 ? ["names:", ...names.map(formatNames)] : []),
    ...(fences.length > 0 ? [stringify({ fences }, { lineWidth: 0 }).trimEnd()] : []),
    "",
  ].join("\n");
  if (after === before) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  return true;
}

/** A list in a list of YAML, as Biome formats it. */
function formatNames(names: readonly string[]): string {
  const items = names.map((name) => {
    const options = { lineWidth: 0, collectionStyle: "flow", flowCollectionPadding: false } as const;
    const item = stringify([name], options).trimEnd().slice(1, -1);
    return item.includes('\\"') ? `'${name.replaceAll("'", "''")}'` : item;
  });
  const line = `  - [${items.join(", ")}]`;
  return line.length <= 110 ? line : ["  - [", ...items.map((item) => `      ${item},`), "    ]"].join("\n");
}

/** Code spans, links with their targets, words that look like names, and ordinals. A caption is its target's path already. */
function namesOf({ spans, links, names, ordinals }: Prose): { name: string; at: number }[] {
  return [
    ...[...spans, ...names, ...ordinals].map(({ text, at }) => ({ name: text, at })),
    ...links.filter(({ alone }) => !alone).map(({ text, href, at }) => ({ name: `[${text}](${href})`, at })),
  ].toSorted((a, b) => a.at - b.at);
}

function isListed({ kind }: Prose): boolean {
  return kind === "fence" || kind === "listed";
}
