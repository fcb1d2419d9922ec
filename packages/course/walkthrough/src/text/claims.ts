import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";

/** Where a value comes from. See docs/tutorial-format.md, "Claims". */
export interface Source {
  /**
   * What is looked at: a file, relative to the page's folder; a page with or without `#step`, of which the commands, outputs
   * and files count; `next block`, `previous block`, `next list`, `previous list`, `next table` or `previous table`; `text` is the paragraph of the words.
   * Default: the page itself.
   */
  readonly in?: string | undefined;
  /** Regular expressions: only the lines from the first one that matches `from` to the next that matches `to` count. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A regular expression. Its groups are the values; all places that match give the same ones. */
  readonly match?: string | undefined;
  /** How many: `lines`, `commands`, `rows`, `items`, `files`, or the matches of a regular expression. */
  readonly count?: string | undefined;
  /** A path in YAML or JSON: `spec.template.spec.containers.0.image`. */
  readonly at?: string | undefined;
  /** The number in the name of the page, or of its tutorial's folder. */
  readonly number?: "page" | "tutorial" | undefined;
  /** Unit of a duration. */
  readonly unit?: Unit | undefined;
  readonly sum?: readonly Operand[] | undefined;
  readonly difference?: readonly Operand[] | undefined;
  readonly product?: readonly Operand[] | undefined;
  readonly quotient?: readonly Operand[] | undefined;
}
export type Operand = Source | number;
export type Unit = keyof typeof unitMs;

/** Milliseconds in a unit. */
export const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** What a page says, in its exact words, and why it is so. */
export interface Claim {
  readonly words: string;
  /** How often the page says so. Default 1. */
  readonly times: number;
  /** One source for all values, or one for each. */
  readonly is?: readonly Source[];
  /** A fact of the world outside, with the day on which a person looked. */
  readonly external?: string;
  /** Why there is nothing to check: an invented example, a figure of speech. */
  readonly unbound?: string;
  /** Of the claims file. */
  readonly line: number;
}

const regex = z.string().refine(isRegex, "is not a regular expression");
const source: z.ZodType<Source> = z.lazy(() =>
  z
    .strictObject({
      in: z.string().optional(),
      from: regex.optional(),
      to: regex.optional(),
      match: regex.optional(),
      count: regex.optional(),
      at: z.string().optional(),
      number: z.enum(["page", "tutorial"]).optional(),
      unit: z.enum(["ms", "s", "m", "h"]).optional(),
      sum: operands.optional(),
      difference: operands.optional(),
      product: operands.optional(),
      quotient: operands.optional(),
    })
    .refine(
      ({ in: _, unit: __, from: ___, to: ____, ...what }) =>
        Object.values(what).filter((one) => one !== undefined).length === 1,
      "needs exactly one of match, count, at, number, sum, difference, product, quotient",
    ),
);
const operands: z.ZodType<readonly Operand[]> = z.lazy(() => z.array(z.union([z.number(), source])).min(2));
const entry = z
  .strictObject({
    words: z.string().min(1),
    times: z.number().int().positive().default(1),
    is: z.union([source, z.array(source).min(1)]).optional(),
    external: z
      .string()
      .regex(/\(\d{4}-\d{2}-\d{2}\)$/, "ends with the day it was looked up: (2026-11-23)")
      .optional(),
    unbound: z.string().min(10, "says why there is nothing to check").optional(),
  })
  .refine(
    (one) => [one.is, one.external, one.unbound].filter((way) => way !== undefined).length === 1,
    "needs exactly one of is, external, unbound",
  );

const fileSchema = z.strictObject({
  claims: z.array(z.unknown()).nullish(),
  texts: z.record(z.string(), z.string()).default({}),
});

/** The claims file of a page: `claims/1-name.yaml` beside `1-name.md`. */
export function claimsFileOf(page: Page): string {
  return join(dirname(page.path), "claims", basename(page.path).replace(/\.md$/, ".yaml"));
}

/** What a claims file holds. */
export interface Claims {
  readonly claims: readonly Claim[];
  /** For each step the hashes of its texts as they were last accepted, separated by spaces, in the order of the page. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Reads a claims file; empty when there is none. Throws PageError, with file and line, for a file that is not well formed. */
export function readClaims(file: string): Claims {
  if (!existsSync(file)) return { claims: [], texts: {} };
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: counter });
  const [error] = document.errors;
  if (error) {
    throw new PageError(file, error.linePos?.[0].line ?? 1, `not YAML: ${error.message.split("\n")[0]}`);
  }
  const shape = fileSchema.safeParse(document.toJSON() ?? {});
  if (!shape.success) {
    const { path, message } = shape.error.issues[0] ?? { path: [], message: "" };
    throw new PageError(file, 1, `a claims file has claims and texts: ${path.join(".")} ${message}`);
  }
  const items = document.get("claims");
  const claims = isSeq(items) ? items.items.map((item) => claimOf(item, file, counter)) : [];
  return { claims, texts: shape.data.texts };
}

function claimOf(item: unknown, file: string, counter: LineCounter): Claim {
  const at = isMap(item) ? item.range?.[0] : undefined;
  const line = at === undefined ? 1 : counter.linePos(at).line;
  const result = entry.safeParse(isMap(item) ? item.toJSON() : item);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new PageError(file, line, `claim: ${[...(issue?.path ?? []), issue?.message].join(" ")}`);
  }
  const { words, times, is, external, unbound } = result.data;
  return {
    words: words.trim().replaceAll(/\s+/g, " "),
    times,
    line,
    ...(is !== undefined && { is: "length" in is ? is : [is] }),
    ...(external !== undefined && { external }),
    ...(unbound !== undefined && { unbound }),
  };
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
