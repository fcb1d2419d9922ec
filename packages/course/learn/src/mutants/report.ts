import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Mutant, type MutantClass, mutantClasses } from "@operator-path/walkthrough";

export interface Outcome {
  readonly mutant: Mutant;
  /** The check that detected the mutant. Undefined: it survived. */
  readonly noticed: string | undefined;
}

/** All mutants of one page and one class, from one run. */
export interface PageRun {
  /** `02-memcached-operator/2` */
  readonly page: string;
  readonly class: MutantClass;
  /** `2026-11-23` */
  readonly date: string;
  readonly outcomes: readonly Outcome[];
}

/** A row of the data file: the result of the last run of a page and a class, for one operator. */
interface Row extends Pick<PageRun, "page" | "class" | "date"> {
  readonly operator: string;
  readonly mutants: number;
  /** Number of mutants that each kind of check detected. */
  readonly by: Readonly<Record<string, number>>;
  /** Names of the mutants that no check detected. */
  readonly survivors: readonly string[];
}

/**
 * Writes runs into a report and its data file (`mutants.md`, `mutants.json`). They replace the rows of the
 * same pages and classes. Removes the rows of pages that are not in `existing`.
 */
export function updateReport(
  file: string,
  runs: readonly PageRun[],
  { existing }: { existing: readonly string[] },
): void {
  const data = file.replace(/(?:\.md)?$/, ".json");
  const before: Row[] = existsSync(data) ? JSON.parse(readFileSync(data, "utf8")) : [];
  const others = before.filter(
    (row) =>
      existing.includes(row.page) && !runs.some((run) => run.page === row.page && run.class === row.class),
  );
  const rows = [...others, ...runs.flatMap(rowsOf)].toSorted(
    (a, b) =>
      compare(a.page, b.page) ||
      mutantClasses.indexOf(a.class) - mutantClasses.indexOf(b.class) ||
      compare(a.operator, b.operator),
  );
  writeFileSync(data, `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
  writeFileSync(file, formatMutants(rows));
}

function rowsOf({ page, class: kind, date, outcomes }: PageRun): Row[] {
  return groups(outcomes, ({ mutant }) => mutant.operator).map(([operator, group]) => ({
    page,
    class: kind,
    operator,
    date,
    mutants: group.length,
    by: tally(group.flatMap(({ noticed }) => noticed?.slice(0, noticed.indexOf(":")) ?? [])),
    survivors: group.flatMap(({ mutant, noticed }) => (noticed === undefined ? mutant.name : [])).sort(),
  }));
}

/** Formats the rows as Markdown: a table by class and operator, one by page, and the survivors by name. */
function formatMutants(rows: readonly Row[]): string {
  const byOperator = groups(rows, (row) => `${row.class} | ${row.operator}`)
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, group]) => {
      const checks = tally(
        group.flatMap(({ by }) => Object.entries(by).flatMap(([check, n]) => Array(n).fill(check))),
      );
      const by = Object.entries(checks).map((one) => one.join(" "));
      return `| ${name} | ${sum(group)} | ${sum(group) - survivorsOf(group).length} | ${by.join(", ")} | ${dates(group)} |`;
    });
  const byPage = groups(rows, ({ page }) => page).map(([page, group]) => {
    const cells = mutantClasses.map((kind) => {
      const own = group.filter((row) => row.class === kind);
      if (own.length === 0) return "–";
      return `${sum(own) - survivorsOf(own).length} of ${sum(own)} (${dates(own)})`;
    });
    return `| ${[page, ...cells].join(" | ")} |`;
  });
  const survivors = survivorsOf(rows);
  return [
    "# Mutants of the pages",
    "",
    "Written by `pnpm mutants --report`. A mutant is a tutorial with one mistake; a check of the tutorial must notice it.",
    "A run replaces the rows of the pages and classes that it ran. The days in the tables are those of the runs.",
    "",
    `${sum(rows)} mutants, ${sum(rows) - survivors.length} noticed, ${survivors.length} survived.`,
    "",
    "| Class | Operator | Mutants | Noticed | By | Run |",
    "|-|-|-|-|-|-|",
    ...byOperator,
    "",
    "| Page | Steps | Text | Code | Manifests |",
    "|-|-|-|-|-|",
    ...byPage,
    "",
    "## Survivors",
    "",
    ...(survivors.length === 0 ? ["None."] : survivors),
    "",
  ].join("\n");
}

function sum(rows: readonly Row[]): number {
  return rows.reduce((total, { mutants }) => total + mutants, 0);
}

function survivorsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ page, operator, survivors }) =>
    survivors.map((name) => `- ${page}: ${operator}: \`${name}\``),
  );
}

/** Returns `2026-11-23`, or `2026-11-20 to 2026-11-23` for rows of several days. */
function dates(rows: readonly Row[]): string {
  const days = rows.map(({ date }) => date).sort();
  return [...new Set([days[0], days.at(-1)])].join(" to ");
}

/** Counts each text, the most frequent first. */
function tally(all: readonly string[]): Record<string, number> {
  const counts = groups(all, (one) => one).map(([one, same]) => [one, same.length] as const);
  return Object.fromEntries(counts.toSorted((a, b) => b[1] - a[1] || compare(a[0], b[0])));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function groups<T>(all: readonly T[], key: (one: T) => string): [string, T[]][] {
  return [...Map.groupBy(all, key)];
}
