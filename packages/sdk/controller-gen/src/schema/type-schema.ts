import type { TSType, TSTypeReference } from "oxc-parser";
import { findType, type NamedType, textOf, typesModule } from "../api/type-name.ts";
import type { Declaration, SourceFile } from "../source/source-file.ts";
import type { Json } from "../yaml/emit.ts";
import { isScalarAlias, isStringType } from "./scalar-alias.ts";
import type { Schema } from "./schema.ts";
import type { TypeContext } from "./type-context.ts";

/** The key of a declaration, by which `$ref` names it. */
export function keyOf({ file, name }: Declaration): string {
  return `${file.absolutePath}#${name}`;
}

/** A type expression's schema. Types with a name stay references, so that what is said of both can be told apart. */
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
      return fail("number does not say which numbers", `write int32 or int64 of ${typesModule}`);
    case "TSBigIntKeyword":
      return fail("bigint has no form in JSON", `write int64 of ${typesModule}, or a string`);
    case "TSAnyKeyword":
    case "TSUnknownKeyword":
      return fail(
        "any value at all makes no schema",
        `write JSONValue of ${typesModule} for one that is kept as it is`,
      );
    case "TSObjectKeyword":
      return fail("any object at all makes no schema", `write RawExtension of ${typesModule}`);
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
        if (!isString) return fail("the keys of a map are strings", "write Record<string, …>");
        return mapSchema(member.typeAnnotation.typeAnnotation, file, context);
      }
      return fail("an object within a type has no name", "declare an interface for it, and name that here");
    }
    case "TSTupleType":
      return fail("a list with a type for each place makes no schema", "write a list of one type");
    case "TSIntersectionType":
      return fail("A & B makes no schema", "declare an interface that extends both");
    case "TSTemplateLiteralType":
      return fail(
        "a template of a string makes no schema",
        "write string, with +kubebuilder:validation:Pattern",
      );
    default:
      return fail(
        `this form of a type (${type.type.replace(/^TS/, "")}) makes no schema`,
        "write the type out",
      );
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
    return fail("undefined has no form in JSON", "put a ? behind the field's name");
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
    return fail("number | string makes no schema", `write IntOrString or Quantity of ${typesModule}`);
  }
  return fail(
    "a union makes a schema only of strings, or only of whole numbers, that are written out",
    "declare one interface with all fields optional, and +kubebuilder:validation:ExactlyOneOf",
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
        "the keys of a map are strings",
        "write Record<string, …>",
      );
    }
    return mapSchema(second, file, context);
  }
  const named: NamedType = name.includes(".")
    ? {
        kind: "unknown",
        message: `${name}: types of a whole imported module are not looked up`,
        suggestion: `import type { ${name.split(".").at(-1)} } by its name`,
      }
    : findType(name, file, context.project);
  if (named.kind === "unknown") {
    context.report(place, named.message, named.suggestion);
    return {};
  }
  if (parameters.length > 0) {
    context.report(place, `${name}<…>: generic types make no schema`, "write the type out");
    return {};
  }
  return namedSchema(
    named,
    () => context.report(place, ...floats),
    () => {
      context.report(
        place,
        `${name} is an object of its own, and part of no other`,
        "embed its spec, or refer to it by name",
      );
    },
    context,
  );
}

const floats = [
  "floats are read differently in different languages",
  "write a string or Quantity, or run with crd:allowDangerousTypes=true",
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
      // Markers of a field look at these.
      const { type, format } = context.declared(named.declaration);
      if (type !== undefined) schema.type = type;
      if (format !== undefined) schema.format = format;
      return schema;
    }
    default:
      onObject();
      return {};
  }
}
