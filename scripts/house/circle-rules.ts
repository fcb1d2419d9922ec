import { posix } from "node:path";
import type { SourceModule } from "./source-module.ts";

/**
 * Returns the import circles among `modules`: for each one the sorted files that import one another, directly
 * or through others. Type-only imports count, because a reader has to follow them, too.
 */
export function importCircles(modules: readonly SourceModule[]): string[][] {
  const graph = new Map(
    modules.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => resolve(file, specifier)),
    ]),
  );
  return components(graph)
    .filter(([file = "", ...others]) => others.length > 0 || graph.get(file)?.includes(file))
    .map((circle) => circle.sort());
}

function resolve(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}

/** Returns the strongly connected components of a graph (Tarjan). */
function components(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    path.push(node);
    let low = own;
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? index.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === own) found.push(path.splice(path.indexOf(node)));
    return low;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
