import { posix } from "node:path";
import type { SourceModule } from "./source-module.ts";

/** Folders of a package that import one another in one direction only. */
export interface Layers {
  /** The folder of the sources, relative to the root of the repository. */
  readonly sources: string;
  /** The layers from bottom to top. Files directly in `sources` may import all of them. */
  readonly order: readonly string[];
  /** By folder: the only other folders that it may import. */
  readonly isolated: Readonly<Record<string, readonly string[]>>;
}

/** The layers of the API server. docs/architecture.md draws them. */
export const apiserverLayers: Layers = {
  sources: "packages/cluster/apiserver/src",
  order: ["generated", "lib", "apimachinery", "server", "kinds", "apiextensions", "plugins"],
  isolated: {
    "lib/json": [],
    "lib/formats": [],
    "lib/yaml": ["lib/json"],
    "lib/jsonpath": ["lib/json"],
    "lib/protobuf": ["lib/json", "generated"],
    "lib/structured-merge-diff": ["lib/json"],
    "lib/cel": ["lib/json", "lib/formats"],
  },
};

/**
 * Returns the imports that point up, or leave an isolated folder for another one than it may import. Tests may import
 * everything. Only they may import the folders `testing` and `recorded`.
 */
export function checkLayers(modules: readonly SourceModule[], layers: Layers): string[] {
  return modules.flatMap(({ file, imports }) => {
    const own = posix.relative(layers.sources, file);
    if (own.startsWith("..") || isForTests(own)) return [];
    return imports
      .filter(({ specifier }) => specifier.startsWith("."))
      .flatMap(({ specifier, line }) => {
        const target = posix.join(posix.dirname(own), specifier);
        const problem = problemOf(own, target, layers);
        return problem === undefined ? [] : [`${file}:${line} imports ${target}: ${problem}`];
      });
  });
}

function problemOf(own: string, target: string, { order, isolated }: Layers): string | undefined {
  if (isForTests(target)) return "only tests may import it";
  for (const [folder, others] of Object.entries(isolated)) {
    if (!own.startsWith(`${folder}/`)) continue;
    if ([folder, ...others].some((allowed) => target.startsWith(`${allowed}/`))) continue;
    return `${folder} may import ${others.length === 0 ? "no other folder" : `only ${others.join(" and ")}`}`;
  }
  const layer = layerOf(own, order);
  if (layerOf(target, order) <= layer) return undefined;
  return `it is above ${order[layer]}, and imports point down: ${order.join(" < ")}`;
}

/** Returns the index of a file's layer. A file in no layer is above all of them. */
function layerOf(file: string, order: readonly string[]): number {
  const index = order.indexOf(file.split("/")[0] ?? "");
  return index === -1 ? order.length : index;
}

function isForTests(file: string): boolean {
  return file.endsWith(".test.ts") || /(^|\/)(testing|recorded)\//.test(file);
}
