import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { machine } from "../../shared/markdown.ts";
import type { Sizes } from "../plan.ts";
import { plot } from "./headlines.ts";
import { updateReadme } from "./readme.ts";
import type { Results } from "./results.ts";
import type { TargetRows } from "./targets.ts";

export interface Report {
  readonly header: readonly string[];
  readonly tables: readonly string[];
  readonly targets: TargetRows;
  readonly profiles: readonly string[];
}

/**
 * Writes informers.json (every figure), .md (tables) and .svg (plot), and updates the README. Resolves to
 * their paths.
 */
export async function writeReport(
  folder: string,
  results: Results,
  sizes: Sizes,
  report: Report,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const { header, tables, targets, profiles } = report;
  const profileBlock = profiles.length === 0 ? [] : ["", "```", ...profiles.slice(1), "```"];
  const page = [
    "# pnpm bench informers",
    "",
    ...header,
    "",
    ...tables,
    ...targets.lines,
    ...profileBlock,
    "",
  ];
  const contents = {
    "informers.json": `${JSON.stringify({ machine: machine(), sizes, rounds: results.rounds() }, undefined, 1)}\n`,
    "informers.md": page.join("\n"),
    "informers.svg": plot(results, sizes),
  };
  const files = Object.keys(contents).map((name) => join(folder, name));
  await Promise.all(Object.entries(contents).map(([name, text]) => writeFile(join(folder, name), text)));
  const readme = join(folder, "..", "README.md");
  const { lines } = targets;
  return (await updateReadme(readme, results, sizes, { header, targets: lines }))
    ? [...files, readme]
    : files;
}
