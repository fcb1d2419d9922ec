import type { TSType, TSTypeReference } from "oxc-parser";
import { findType, type NamedType, textOf, typesModule } from "../api/type-name.ts";
import type { Report } from "../problem.ts";
import type { Project } from "../source/project.ts";
import type { Declaration, SourceFile } from "../source/source-file.ts";
import type { Json } from "../yaml/emit.ts";
import type { Schema } from "./schema.ts";

/** Settings and lookups for turning types into schemas. */
export interface TypeContext {
  readonly project: Project;
  /** Whether floats are allowed. */
  readonly allowDangerousTypes: boolean;
  readonly report: Report;
  /** Returns the schema of a declaration, for the JSON type of an alias. */
  readonly schemaOf: (declaration: Declaration) => Schema;
}

/** Returns the key by which a `$ref` names a declaration. */
export function keyOf({ file, name }: Declaration): string {
  return `${file.absolutePath}#${name}`;
}

/**
 * Returns the schema of a type expression. A named type stays a reference, which keeps the keywords of the
 * field apart from those of the type.
 */
export function typeSchema(type: TSType, file: SourceFile, context: TypeContext): Schema {
  const fail = (message: string, suggestion?: string): Schema => {
    context.report({ file, offset: type.start }, message, suggestion);
    return {};
  };
  switch (type.type) {
    case "TSStringKeyword":
      return { type: "string" };
    case "TSBooleanKeyword":
      return { type: "boolean" };
    case "TSNumberKeyword":
      return fail("number is not specific enough", `use int32 or int64 from ${typesModule}`);
    case "TSBigIntKeyword":
      return fail("JSON cannot represent bigint", `use int64 from ${typesModule}, or a string`);
    case "TSAnyKeyword":
    case "TSUnknownKeyword":
      return fail("any and unknown have no schema", `use JSONValue from ${typesModule} to keep any value`);
    case "TSObjectKeyword":
      return fail("object has no schema", `use RawExtension from ${typesModule}`);
    case "TSParenthesizedType":
      return typeSchema(type.typeAnnotation, file, context);
    case "TSTypeOperator":
      if (type.operator === "readonly") return typeSchema(type.typeAnnotation, file, context);
      return fail(`${type.operator} types have no schema`, "write the type out");
    case "TSArrayType":
      return { type: "array", items: typeSchema(type.elementType, file, context) };
    case "TSTypeReference":
      return referenceSchema(type, file, context);
    case "TSUnionType":
      return unionSchema(type.types, file, context, fail);
    case "TSLiteralType":
      return unionSchema([type], file, context, fail);
    case "TSTypeLiteral": {
      const [member] = type.members;
      if (type.members.length === 1 && member?.type === "TSIndexSignature") {
        const [key] = member.parameters;
        const isString = key?.typeAnnotation?.typeAnnotation.type === "TSStringKeyword";
        if (!isString) return fail("the keys of a map must be strings", "use Record<string, …>");
        return mapSchema(member.typeAnnotation.typeAnnotation, file, context);
      }
      return fail("an inline object type has no schema", "declare an interface and use its name here");
    }
    case "TSTupleType":
      return fail("a tuple has no schema", "use a list of one type");
    case "TSIntersectionType":
      return fail("A & B has no schema", "declare an interface that extends both");
    case "TSTemplateLiteralType":
      return fail("a template literal has no schema", "use string with +kubebuilder:validation:Pattern");
    default:
      return fail(`this type (${type.type.replace(/^TS/, "")}) has no schema`, "write the type out");
  }
}

function mapSchema(value: TSType, file: SourceFile, context: TypeContext): Schema {
  return { type: "object", additionalProperties: typeSchema(value, file, context) };
}

function unionSchema(
  types: readonly TSType[],
  file: SourceFile,
  context: TypeContext,
  fail: (message: string, suggestion?: string) => Schema,
): Schema {
  const isNullable = types.some(({ type }) => type === "TSNullKeyword");
  const rest = types.filter(({ type }) => type !== "TSNullKeyword");
  const [only] = rest;
  if (rest.some(({ type }) => type === "TSUndefinedKeyword")) {
    return fail("JSON cannot represent undefined", "put a ? after the field's name");
  }
  if (rest.length === 1 && only !== undefined && only.type !== "TSLiteralType") {
    const schema = typeSchema(only, file, context);
    return isNullable ? { ...schema, nullable: true } : schema;
  }
  const values = rest.map(literalOf);
  const nullable = isNullable ? { nullable: true } : {};
  if (rest.length > 0 && values.every((value) => typeof value === "string")) {
    return { type: "string", enum: values, ...nullable };
  }
  if (rest.length > 0 && values.every((value) => Number.isInteger(value))) {
    return { type: "integer", enum: values as Json[], ...nullable };
  }
  const words = rest.map(({ type }) => type);
  if (words.includes("TSNumberKeyword") && words.includes("TSStringKeyword")) {
    return fail("number | string has no schema", `use IntOrString or Quantity from ${typesModule}`);
  }
  return fail(
    "the members of a union must all be string literals, or all integer literals",
    "for objects, declare one interface with optional fields and +kubebuilder:validation:ExactlyOneOf",
  );
}

function literalOf(type: TSType): Json | undefined {
  if (type.type !== "TSLiteralType") return undefined;
  const { literal } = type;
  if (literal.type === "Literal") return literal.value as Json;
  if (literal.type !== "UnaryExpression" || literal.operator !== "-" || literal.argument.type !== "Literal") {
    return undefined;
  }
  return -Number(literal.argument.value);
}

function referenceSchema(type: TSTypeReference, file: SourceFile, context: TypeContext): Schema {
  const name = textOf(type.typeName);
  const place = { file, offset: type.start };
  const parameters = type.typeArguments?.params ?? [];
  const [first, second] = parameters;
  if ((name === "Array" || name === "ReadonlyArray") && parameters.length === 1 && first !== undefined) {
    return { type: "array", items: typeSchema(first, file, context) };
  }
  if (name === "Record" && first !== undefined && second !== undefined) {
    if (!isStringType(first, file, context)) {
      context.report(
        { file, offset: first.start },
        "the keys of a map must be strings",
        "use Record<string, …>",
      );
    }
    return mapSchema(second, file, context);
  }
  const named: NamedType = name.includes(".")
    ? {
        kind: "unknown",
        message: `${name}: controller-gen does not look up types through a namespace import`,
        suggestion: `import type { ${name.split(".").at(-1)} } by name`,
      }
    : findType(name, file, context.project);
  if (named.kind === "unknown") {
    context.report(place, named.message, named.suggestion);
    return {};
  }
  if (parameters.length > 0) {
    context.report(place, `${name}<…>: generic types have no schema`, "write the type out");
    return {};
  }
  return namedSchema(
    named,
    () => context.report(place, ...floats),
    () => {
      context.report(
        place,
        `${name} is a Kubernetes object and cannot be part of another one`,
        "embed its spec, or refer to it by name",
      );
    },
    context,
  );
}

const floats = [
  "languages read floats differently",
  "use string or Quantity, or run with crd:allowDangerousTypes=true",
] as const;

function namedSchema(
  named: Exclude<NamedType, { kind: "unknown" }>,
  onFloat: () => void,
  onObject: () => void,
  context: TypeContext,
): Schema {
  switch (named.kind) {
    case "builtin":
      if (named.dangerous === true && !context.allowDangerousTypes) onFloat();
      return named.format === undefined ? { type: named.type } : { type: named.type, format: named.format };
    case "kubernetes":
      return { $ref: named.key };
    case "local": {
      const schema: Schema = { $ref: keyOf(named.declaration) };
      if (!isScalarAlias(named.declaration, context)) return schema;
      // The markers of a field check these keywords.
      const { type, format } = context.schemaOf(named.declaration);
      if (type !== undefined) schema.type = type;
      if (format !== undefined) schema.format = format;
      return schema;
    }
    default:
      onObject();
      return {};
  }
}

/** Returns whether an alias resolves to a string, a number or a boolean. */
function isScalarAlias({ node, file }: Declaration, context: TypeContext, depth = 0): boolean {
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

/** Returns whether a type can be the type of a map's keys. */
function isStringType(type: TSType, file: SourceFile, context: TypeContext): boolean {
  if (type.type === "TSStringKeyword") return true;
  if (type.type !== "TSTypeReference") return false;
  const named = findType(textOf(type.typeName), file, context.project);
  return (
    named.kind === "local" &&
    named.declaration.node.type === "TSTypeAliasDeclaration" &&
    context.schemaOf(named.declaration).type === "string"
  );
}
