import { builtinModules } from "node:module";
import { basename } from "node:path";
import type { HousePackage } from "./packages.ts";
import type { Reference, SourceModule } from "./source-module.ts";

/** What is wrong in one module, as lines `file:line what`; empty when it keeps the rules. */
export function checkModule(
  module: SourceModule,
  own: HousePackage,
  packages: readonly HousePackage[],
): string[] {
  const problems: string[] = [];
  const at = (line: number, problem: string): void => void problems.push(`${module.file}:${line} ${problem}`);

  for (const line of module.exportAlls) at(line, "export *: name what leaves the file");
  // A command's main.ts ends its process; a library throws and lets its caller decide.
  if (basename(module.file) !== "main.ts")
    for (const line of module.exits) at(line, "process.exit in a library");

  for (const reference of module.imports) {
    const problem = reference.specifier.startsWith(".")
      ? relativeImport(reference, module, own)
      : packageImport(reference, module, own, packages);
    if (problem !== undefined) at(reference.line, problem);
  }
  return problems;
}

/**
 * Tests and what only they use may look up, and use devDependencies. A scaffold's tests share controllers/suite.ts.
 * Alternatives of exercises are run in another folder, in the place of the exercise's file.
 */
export function isTestCode(file: string): boolean {
  return /\.test\.ts$|\/testing\/|\/tests\/exercises\/|\/controllers\/suite\.ts$|vitest\.config\.ts$/.test(
    file,
  );
}

/** Code for the browser. It is bundled, so its dependencies are development dependencies of its package. */
function isWebCode(file: string): boolean {
  return file.includes("/src/web/");
}

function relativeImport(
  { specifier }: Reference,
  module: SourceModule,
  own: HousePackage,
): string | undefined {
  const endings = isWebCode(module.file) ? /\.(tsx?|json|css)$/ : /\.(ts|json)$/;
  if (!endings.test(specifier)) return `imports ${specifier}: relative imports end in .ts`;
  if (basename(module.file) === "vitest.config.ts") return undefined;
  const target = new URL(specifier, `file:///${module.file}`).pathname.slice(1);
  if (!target.startsWith(`${own.folder}/`)) {
    return `imports ${specifier}, which is outside ${own.folder}: use the other package's name`;
  }
  return undefined;
}

function packageImport(
  { specifier }: Reference,
  module: SourceModule,
  own: HousePackage,
  packages: readonly HousePackage[],
): string | undefined {
  if (specifier.startsWith("node:") || specifier.startsWith("#")) return undefined;
  if (builtinModules.includes(specifier)) return `imports ${specifier}: write node:${specifier}`;
  const name = packageName(specifier);
  const target = packages.find((candidate) => candidate.name === name);
  if (target && target !== own) {
    const path = `.${specifier.slice(name.length)}`;
    if (!exportedPaths(target).includes(path)) return `imports ${specifier}, which ${name} does not export`;
  }
  if (isTestCode(module.file)) return undefined;
  if (target && !mayImport(own, target)) {
    return `imports ${specifier}: ${own.folder} stands below or beside ${target.folder}, imports point down or left`;
  }
  if (target !== own && !declared(own, name, module.file))
    return `imports ${specifier}, which is not in its dependencies`;
  return undefined;
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function exportedPaths({ manifest }: HousePackage): string[] {
  return typeof manifest.exports === "object" && manifest.exports !== null
    ? Object.keys(manifest.exports)
    : [];
}

/** Tutorials are what learners copy out: they may use only what is published, the sdk wing. */
function mayImport(own: HousePackage, target: HousePackage): boolean {
  if (own === target) return true;
  if (own.folder.startsWith("tutorials/")) return target.folder.startsWith("packages/sdk/");
  if (own.place === undefined) return true;
  return target.place !== undefined && target.place < own.place;
}

function declared({ folder, manifest }: HousePackage, name: string, file: string): boolean {
  const lists = [manifest.dependencies, manifest.peerDependencies];
  // Scripts never leave the house; of a project's API types nothing is left when it runs.
  const isScript = folder === "scripts" || file.startsWith(`${folder}/scripts/`);
  if (isScript || isWebCode(file) || file.endsWith(".types.ts")) lists.push(manifest.devDependencies);
  return lists.some((list) => list !== undefined && name in list);
}
