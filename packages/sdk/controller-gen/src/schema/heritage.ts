import type { TSInterfaceHeritage } from "oxc-parser";
import { findType } from "../api/type-name.ts";
import type { Declaration } from "../source/source-file.ts";
import { typeMetaKey } from "./kubernetes-types.ts";
import type { Schema } from "./schema.ts";
import type { TypeContext } from "./type-context.ts";
import { keyOf } from "./type-schema.ts";

/** Whether a declaration is an object of its own: an interface that extends KubeObject. */
export function isRoot(declaration: Declaration, { project }: Pick<TypeContext, "project">): boolean {
  return heritageOf(declaration).some(({ expression }) => {
    const named = expression.type === "Identifier" && findType(expression.name, declaration.file, project);
    return named !== false && named.kind === "kubeObject";
  });
}

/** Whether a declaration is a list of objects, of which there is nothing to generate. */
export function isList(declaration: Declaration, { project }: Pick<TypeContext, "project">): boolean {
  return heritageOf(declaration).some(({ expression }) => {
    const named = expression.type === "Identifier" && findType(expression.name, declaration.file, project);
    return named !== false && named.kind === "list";
  });
}

/** What an interface has of one that it extends. */
export function embeddedSchema(
  { expression, start }: TSInterfaceHeritage,
  { file }: Declaration,
  context: TypeContext,
): Schema {
  const place = { file, offset: start };
  if (expression.type !== "Identifier") {
    context.report(place, "only a type with a name can be extended", "import it by its name");
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
      context.report(place, `${expression.name} cannot be extended by what has a schema`);
      return {};
  }
}

/** What an interface extends. */
export function heritageOf({ node }: Declaration): readonly TSInterfaceHeritage[] {
  return node.type === "TSInterfaceDeclaration" ? node.extends : [];
}
