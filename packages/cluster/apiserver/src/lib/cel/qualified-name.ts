import type { Expression } from "./ast.ts";

/** `a.b.c` of a chain of names; undefined if anything else is in it. */
export function qualifiedName(part: Expression): string | undefined {
  if (part.kind === "identifier") return part.name.replace(/^\./, "");
  if (part.kind !== "select" || part.test) return undefined;
  const prefix = qualifiedName(part.operand);
  return prefix === undefined ? undefined : `${prefix}.${part.field}`;
}
