import type { TSInterfaceHeritage } from "oxc-parser";
import { findType } from "../api/type-name.ts";
import type { Declaration } from "../source/source-file.ts";
import { typeMetaKey } from "./kubernetes-types.ts";
import type { Schema } from "./schema.ts";
import type { TypeContext } from "./type-schema.ts";
import { keyOf } from "./type-schema.ts";

/** Returns whether a declaration is a Kubernetes object: an interface that extends KubeObject. */
export function isRoot(declaration: Declaration, { project }: Pick<TypeContext, "project">): boolean {
  return heritageOf(declaration).some(({ expression }) => {
    const named = expression.type === "Identifier" && findType(expression.name, declaration.file, project);
    return named !== false && named.kind === "kubeObject";
  });
}

/** Returns whether a declaration is a list of objects, for which nothing is generated. */
export function isList(declaration: Declaration, { project }: Pick<TypeContext, "project">): boolean {
  return heritageOf(declaration).some(({ expression }) => {
    const named = expression.type === "Identifier" && findType(expression.name, declaration.file, project);
    return named !== false && named.kind === "list";
  });
}

/** Returns a reference to the schema of an interface that another one extends. */
export function embeddedSchema(
  { expression, start }: TSInterfaceHeritage,
  { file }: Declaration,
  context: TypeContext,
): Schema {
  const place = { file, offset: start };
  if (expression.type !== "Identifier") {
    context.report(place, "an interface can only extend a named type", "import the type by name");
    return {};
  }
  const named = findType(expression.name, file, context.project);
  switch (named.kind) {
    case "kubeObject":
      return { $ref: typeMetaKey };
    case "local":
      return { $ref: keyOf(named.declaration) };
    case "kubernetes":
      return { $ref: named.key };
    case "unknown":
      context.report(place, named.message, named.suggestion);
      return {};
    default:
      context.report(place, `an interface with a schema cannot extend ${expression.name}`);
      return {};
  }
}

/** Returns the types that an interface extends. */
export function heritageOf({ node }: Declaration): readonly TSInterfaceHeritage[] {
  return node.type === "TSInterfaceDeclaration" ? node.extends : [];
}
