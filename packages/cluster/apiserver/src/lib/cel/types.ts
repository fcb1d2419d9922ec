/**
 * A static type of the Common Expression Language (common/types.Type of cel-go). A parameter stands for any
 * one type within a function's declaration. An object is a map with known fields. `opaque` types come from a
 * library (`kubernetes.Quantity`).
 */
export type CelType =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | ObjectType
  | { readonly kind: "opaque"; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: "type"; readonly of: CelType | undefined }
  | { readonly kind: "parameter"; readonly name: string };

type PrimitiveKind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "timestamp"
  | "duration"
  | "dyn"
  | "error";

export interface ObjectType {
  readonly kind: "object";
  /** The name in errors. Two objects with one name have the same type. */
  readonly name: string;
  /** Returns the type of a field by its name in expressions, or undefined if it does not exist. */
  field(name: string): CelType | undefined;
}

export const bool: CelType = { kind: "bool" };
export const int: CelType = { kind: "int" };
export const uint: CelType = { kind: "uint" };
export const double: CelType = { kind: "double" };
export const string: CelType = { kind: "string" };
export const bytes: CelType = { kind: "bytes" };
export const nullType: CelType = { kind: "null" };
export const timestamp: CelType = { kind: "timestamp" };
export const duration: CelType = { kind: "duration" };
export const dyn: CelType = { kind: "dyn" };
export const errorType: CelType = { kind: "error" };
/** The type of all types. */
export const anyTypeType: CelType = { kind: "type", of: undefined };

export function listOf(element: CelType): CelType {
  return { kind: "list", element };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function opaque(name: string, ...parameters: CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}

export function optionalOf(type: CelType): CelType {
  return opaque("optional_type", type);
}

export function typeOf(of: CelType): CelType {
  return { kind: "type", of };
}

export function parameter(name: string): CelType {
  return { kind: "parameter", name };
}

/** Returns an object type. @param fields by their names in expressions */
export function objectOf(name: string, fields: ReadonlyMap<string, CelType>): ObjectType {
  return { kind: "object", name, field: (field) => fields.get(field) };
}

/** Returns the types that a type contains: of a list its element type, of a map its key and value types. */
export function partsOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "opaque":
      return type.parameters;
    case "type":
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** Returns the type with other contained types. */
export function withParts(type: CelType, parts: readonly CelType[]): CelType {
  const [first = dyn, second = dyn] = parts;
  switch (type.kind) {
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second);
    case "opaque":
      return { ...type, parameters: parts };
    case "type":
      return type.of === undefined ? type : typeOf(first);
    default:
      return type;
  }
}

const names: Partial<Record<CelType["kind"], string>> = {
  timestamp: "timestamp",
  duration: "duration",
  null: "null",
  error: "!error!",
};

/** Formats a type for errors of the checker: `map(string, dyn)` (checker.FormatCELType of cel-go). */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "list":
      return `list(${formatType(type.element)})`;
    case "map":
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case "object":
      return type.name;
    case "opaque":
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map(formatType).join(", ")})`;
    case "type":
      return type.of === undefined ? "type" : `type(${formatType(type.of)})`;
    case "parameter":
      return type.name;
    default:
      return names[type.kind] ?? type.kind;
  }
}

/** Returns the name of a type in expressions and in `type(x)`: `google.protobuf.Timestamp`, `list`. */
export function runtimeName(type: CelType): string {
  switch (type.kind) {
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "null":
      return "null_type";
    case "opaque":
    case "object":
    case "parameter":
      return type.name;
    default:
      return type.kind;
  }
}
