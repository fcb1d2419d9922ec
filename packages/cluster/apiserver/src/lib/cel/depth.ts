import { childrenOf, type Expression } from "./ast.ts";

/** Operators that cel-go does not count. It balances chains of the first two, and loops over the others. */
const uncounted = new Set(["_&&_", "_||_", "!_", "-_"]);

/**
 * Returns the nesting depth of operators, selections, indexes and member calls, as cel-go's parser counts it.
 * This function is not recursive, because an expression of 100,000 characters can be that deep.
 */
export function depthOf(root: Expression): number {
  const known = new Map<Expression, number>();
  const waiting = [root];
  for (let part = waiting.at(-1); part !== undefined; part = waiting.at(-1)) {
    const parts = childrenOf(part);
    const missing = parts.filter((inner) => !known.has(inner));
    if (missing.length > 0) {
      for (const inner of missing) waiting.push(inner);
      continue;
    }
    waiting.pop();
    let depth = 0;
    for (const inner of parts) depth = Math.max(depth, known.get(inner) ?? 0);
    known.set(part, isCounted(part) ? depth + 1 : depth);
  }
  return known.get(root) ?? 0;
}

function isCounted(part: Expression): boolean {
  if (part.kind === "select" || part.kind === "comprehension") return true;
  if (part.kind !== "call" || uncounted.has(part.name)) return false;
  return part.target !== undefined || part.name.startsWith("_") || part.name === "@in";
}
