import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";

/** The source of a value. See docs/tutorial-format.md, "Claims". */
export interface Source {
  /**
   * Default: the page itself. Otherwise one of:
   *
   * - a file, relative to the page's folder
   * - a page, with or without `#step`: its commands, outputs and files
   * - `next block`, `previous block`, `next list`, `previous list`, `next table` or `previous table`
   * - `text`: the paragraph of the words
   */
  readonly in?: string | undefined;
  /**
   * Regular expressions. They select the lines from the first that matches `from` to the next that matches
   * `to`.
   */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A regular expression. Its groups are the values. All matches must give the same values. */
  readonly match?: string | undefined;
  /**
   * Counts `lines`, `commands`, `rows`, `items`, `files`, `terminals`, or the matches of a regular
   * expression.
   */
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

/** The exact words of a page, and their source. */
export interface Claim {
  readonly words: string;
  /** How often the page says the words. Default 1. */
  readonly times: number;
  /** One source for all values, or one for each. */
  readonly is?: readonly Source[];
  /** A fact from outside of the repository, with the day on which a person looked it up. */
  readonly external?: string;
  /** Why the words need no check: an invented example, a figure of speech. */
  readonly unbound?: string;
  /** Line of the claims file. */
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

/** Returns the path of a page's claims file: `claims/1-name.yaml` beside `1-name.md`. */
export function claimsFileOf(page: Page): string {
  return join(dirname(page.path), "claims", basename(page.path).replace(/\.md$/, ".yaml"));
}

/** The content of a claims file. */
export interface Claims {
  readonly claims: readonly Claim[];
  /** Step → hashes of its last accepted texts, in the order of the page, separated by spaces. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Reads a claims file. Returns no claims if the file is missing. Throws PageError with file and line for a
 * malformed one.
 */
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
