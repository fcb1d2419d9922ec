import type { Mutant, MutantClass } from "@operator-path/walkthrough";

export interface Outcome {
  /** `02-memcached-operator/2` */
  readonly page: string;
  readonly mutant: Mutant;
  /** What noticed it; undefined: a survivor. */
  readonly noticed: string | undefined;
  readonly seconds: number;
}

/** Formats the outcomes as Markdown: a table by class and operator, what noticed them, and the survivors by name. */
export function formatMutants(outcomes: readonly Outcome[], o: { date: string; command: string }): string {
  const survivors = outcomes.filter(({ noticed }) => noticed === undefined);
  const rows = groups(outcomes, ({ mutant }) => `${mutant.class}|${mutant.operator}`).map(([key, group]) => {
    const [name = "", operator = ""] = key.split("|");
    const caught = group.filter(({ noticed }) => noticed !== undefined);
    return `| ${name} | ${operator} | ${group.length} | ${caught.length} | ${by(caught)} |`;
  });
  const pages = groups(outcomes, ({ page }) => page).map(([page, group]) => {
    const ofClass = (name: MutantClass): string => {
      const all = group.filter(({ mutant }) => mutant.class === name);
      return all.length === 0
        ? "–"
        : `${all.filter(({ noticed }) => noticed !== undefined).length} of ${all.length}`;
    };
    return `| ${page} | ${ofClass("step")} | ${ofClass("text")} | ${ofClass("code")} | ${ofClass("manifest")} |`;
  });
  return [
    "# Mutants of the pages",
    "",
    `Written by \`${o.command}\` on ${o.date}. A mutant is a tutorial with one mistake; a check of the tutorial must notice it.`,
    "",
    `${outcomes.length} mutants, ${outcomes.length - survivors.length} noticed, ${survivors.length} survived.`,
    "",
    "| Class | Operator | Mutants | Noticed | By |",
    "|-|-|-|-|-|",
    ...rows,
    "",
    "| Page | Steps | Text | Code | Manifests |",
    "|-|-|-|-|-|",
    ...pages,
    "",
    "## Survivors",
    "",
    ...(survivors.length === 0
      ? ["None."]
      : survivors.map(({ page, mutant }) => `- ${page}: ${mutant.operator}: \`${mutant.name}\``)),
    "",
  ].join("\n");
}

/** How many each kind of check has noticed, the most frequent first. */
function by(caught: readonly Outcome[]): string {
  return groups(caught, ({ noticed = "" }) => noticed.slice(0, noticed.indexOf(":")))
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([name, group]) => `${name} ${group.length}`)
    .join(", ");
}

function groups<T>(all: readonly T[], key: (one: T) => string): [string, T[]][] {
  return [...Map.groupBy(all, key)];
}
