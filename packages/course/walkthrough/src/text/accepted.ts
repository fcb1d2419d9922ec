import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { stringify } from "yaml";
import type { Page } from "../page/page.ts";
import { type Claims, claimsFileOf } from "./claims.ts";
import { findProse, type Prose } from "./prose.ts";

/** A text that differs from the accepted one. */
export interface Unaccepted {
  readonly line: number;
  readonly message: string;
}

/**
 * Compares a page's texts with the hashes in its claims file. Returns the first difference of each step, in
 * the order of the page. A claim detects a wrong number. Only the hashes detect a wrong word, or two texts
 * that swapped places.
 */
export function compareAccepted(
  page: Page,
  prose: readonly Prose[],
  accepted: Claims["texts"],
): Unaccepted[] {
  const found = hashesOf(page, prose);
  const removed = Object.keys(accepted).filter((step) => !found.has(step));
  return [
    ...[...found].map(([step, texts]) => ({ step, texts })),
    ...removed.map((step) => ({ step, texts: [] })),
  ].flatMap(({ step, texts }) => {
    const hashes = accepted[step]?.split(/\s+/) ?? [];
    const at = Array.from({ length: Math.max(texts.length, hashes.length) }, (_, i) => i).find(
      (i) => texts[i]?.hash !== hashes[i],
    );
    if (at === undefined) return [];
    const line = texts[at]?.line ?? texts.at(-1)?.line ?? 1;
    const what = texts[at]
      ? "this text differs from the accepted one"
      : `a text of the step "${step}" is missing here`;
    return [{ line, message: `${what}: undo the change, or accept it (pnpm verify --text --accept PAGE)` }];
  });
}

/**
 * Writes the hashes of a page's texts into its claims file, and keeps its claims. Returns true if the file
 * changed.
 */
export function acceptTexts(page: Page): boolean {
  const file = claimsFileOf(page);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "claims: []\n";
  const claims = before.replace(/^texts:[\s\S]*/m, "").trimEnd();
  const texts = [...hashesOf(page, findProse(page))].map(([step, found]) => [
    step,
    found.map(({ hash }) => hash).join(" "),
  ]);
  const after = `${claims}\n${stringify({ texts: Object.fromEntries(texts) }, { lineWidth: 110, defaultStringType: "BLOCK_FOLDED", defaultKeyType: "PLAIN" })}`;
  if (after === before) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  return true;
}

/** Returns the texts of each step, in the order of the page. Leaves out steps without text. */
function hashesOf(page: Page, prose: readonly Prose[]): Map<string, { hash: string; line: number }[]> {
  const stepOf = ({ line }: Prose): string =>
    page.steps.findLast((step) => step.line <= line)?.slug ?? "introduction";
  const texts = prose.map((one) => ({ step: stepOf(one), line: one.line, hash: hashOf(one) }));
  return Map.groupBy(texts, ({ step }) => step);
}

/** Reflowing a paragraph keeps its hash. In a fence and a picture, every character counts. */
function hashOf({ kind, text, source, about = "" }: Prose): string {
  const compared = kind === "text" || kind === "comment" ? text : source;
  return createHash("sha256").update([kind, compared, about].join("\n")).digest("hex").slice(0, 8);
}
