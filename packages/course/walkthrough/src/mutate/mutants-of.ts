import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { listFolder } from "../files/tree.ts";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { mutateCode } from "./code.ts";
import { dropMarkers, mutateMakefile, mutateManifest, mutateMarkers } from "./manifest.ts";
import {
  applyChange,
  changePages,
  type LineChange,
  type Mutant,
  type MutantClass,
  pageSources,
} from "./mutant.ts";
import { dropEachStep } from "./mutate-page.ts";
import { mutateDurations, mutateText } from "./text.ts";

/**
 * Returns every mutant of a page: one without each of its steps, one for each claim of its text, and one for
 * each mistake in the code and the manifests of its project. A file that several pages show belongs to the
 * last of them.
 */
export function mutantsOf(page: Page, classes: readonly MutantClass[]): Mutant[] {
  const file = basename(page.path);
  const ofPage = (kind: MutantClass, change: LineChange): Mutant => ({
    class: kind,
    operator: change.operator,
    name: `${file}:${change.from}: ${change.what}`,
    changes: new Map([[file, applyChange(page.source, change)]]),
  });
  const mutants: Mutant[] = [];
  if (classes.includes("step")) {
    for (const { name, page: without } of dropEachStep(page))
      mutants.push({
        class: "step",
        operator: "drop a step",
        name,
        changes: new Map([[file, without.source]]),
      });
  }
  if (classes.includes("text"))
    mutants.push(...[...mutateText(page), ...mutateDurations(page)].map((change) => ofPage("text", change)));
  if (classes.includes("code") || classes.includes("manifest")) mutants.push(...ofProject(page, classes));
  return mutants;
}

function ofProject(page: Page, classes: readonly MutantClass[]): Mutant[] {
  const tutorial = dirname(resolve(page.path));
  const { project } = page.frontMatter;
  if (project === undefined || !existsSync(join(tutorial, project))) return [];
  const pages = [...pageSources(page)]
    .map(([name, source]) => parsePage(source, join(tutorial, name)))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const own = pages.filter((one) => one.frontMatter.project === project);
  return listFolder(join(tutorial, project)).flatMap((path) => {
    const file = `${project}/${path}`;
    const shown = own.filter(({ steps }) =>
      steps.some(({ blocks }) => blocks.some((block) => "file" in block && block.file === file)),
    );
    const owner = shown.at(-1) ?? own.at(-1);
    if (owner?.path !== resolve(page.path)) return [];
    return changesOf(path, join(tutorial, file)).flatMap(({ class: kind, source, change }) =>
      classes.includes(kind)
        ? [
            {
              class: kind,
              operator: change.operator,
              name: `${file}:${change.from}: ${change.what}`,
              changes: new Map([
                ...changePages(pages, file, source, change),
                [file, applyChange(source, change)] as const,
              ]),
            },
          ]
        : [],
    );
  });
}

function changesOf(
  path: string,
  absolute: string,
): { class: MutantClass; source: string; change: LineChange }[] {
  const isCode = /^(?:src|controllers)\/.*\.ts$/.test(path) && !/\.test\.ts$|suite\.ts$/.test(path);
  const isTypes = /^(?:api|controllers)\/.*\.ts$/.test(path) && !basename(path).startsWith("zz_");
  // controller-gen writes these files from the markers.
  const generated = /^config\/(?:crd\/bases\/|rbac\/role\.yaml)/.test(path);
  const isManifest = /\.ya?ml$/.test(path) && !generated;
  const isMakefile = path === "Makefile";
  if (!isCode && !isTypes && !isManifest && !isMakefile) return [];
  const source = readFileSync(absolute, "utf8");
  const as = (kind: MutantClass) => (change: LineChange) => ({ class: kind, source, change });
  return [
    ...(isCode ? mutateCode(path, source).map(as("code")) : []),
    ...(isTypes ? [...mutateMarkers(source), ...dropMarkers(source)].map(as("manifest")) : []),
    ...(isMakefile ? mutateMakefile(source).map(as("manifest")) : []),
    ...(isManifest ? mutateManifest(source).map(as("manifest")) : []),
  ];
}
