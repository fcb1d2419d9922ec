import type { TSType } from "oxc-parser";
import { findType, textOf } from "../api/type-name.ts";
import type { Declaration, SourceFile } from "../source/source-file.ts";
import type { TypeContext } from "./type-context.ts";

/** Whether an alias is, in the end, a string, a number or a boolean. */
export function isScalarAlias({ node, file }: Declaration, context: TypeContext, depth = 0): boolean {
  if (node.type !== "TSTypeAliasDeclaration" || depth > 20) return false;
  const type = node.typeAnnotation;
  switch (type.type) {
    case "TSStringKeyword":
    case "TSBooleanKeyword":
    case "TSLiteralType":
      return true;
    case "TSUnionType":
      return type.types.every((each) => each.type === "TSLiteralType");
    case "TSTypeReference": {
      const named = findType(textOf(type.typeName), file, context.project);
      if (named.kind === "builtin") return named.format !== "byte";
      return named.kind === "local" && isScalarAlias(named.declaration, context, depth + 1);
    }
    default:
      return false;
  }
}

/** Whether a type can be that of a map's keys. */
export function isStringType(type: TSType, file: SourceFile, context: TypeContext): boolean {
  if (type.type === "TSStringKeyword") return true;
  if (type.type !== "TSTypeReference") return false;
  const named = findType(textOf(type.typeName), file, context.project);
  return (
    named.kind === "local" &&
    named.declaration.node.type === "TSTypeAliasDeclaration" &&
    context.declared(named.declaration).type === "string"
  );
}
