import type { TSPropertySignature, TSType } from "oxc-parser";
import { splitLooseMarkers } from "../api/api-package.ts";
import type { Marker, Target } from "../markers/definition.ts";
import { findMarker, readMarkers } from "../markers/registry.ts";
import { addRule } from "../markers/schema-marker-forms.ts";
import type { Report } from "../problem.ts";
import type { Declaration, Member, SourceFile } from "../source/source-file.ts";
import { applyMarkers } from "./apply-markers.ts";
import { embeddedSchema, heritageOf, isRoot } from "./heritage.ts";
import type { Schema } from "./schema.ts";
import type { TypeContext } from "./type-schema.ts";
import { typeSchema } from "./type-schema.ts";

export interface DeclarationContext extends TypeContext {
  /** Whether fields without a marker are optional in the folder of a declaration. */
  readonly optionalByDefault: (declaration: Declaration) => boolean;
}

/** Returns the markers of an interface or alias, without those of its fields. */
export function markersOfType(declaration: Declaration, context: DeclarationContext): Marker[] {
  const { file, markers, name } = declaration;
  const target: Target = isRoot(declaration, context) ? "root" : "type";
  return readMarkers(
    [...splitLooseMarkers(declaration).ofType, ...markers],
    target,
    file,
    name,
    context.report,
  );
}

/** Returns the schema of an interface or alias. It contains references to other types. */
export function declarationSchema(declaration: Declaration, context: DeclarationContext): Schema {
  const { file, node, doc } = declaration;
  const markers = markersOfType(declaration, context);
  if (declaration.isRepeated) {
    context.report(
      { file, offset: node.id.start },
      `${node.id.name} is declared twice in this file`,
      "merge the two declarations",
    );
  }
  if (node.typeParameters) {
    context.report(
      { file, offset: node.id.start },
      `${node.id.name} is generic, and generic types have no schema`,
      "write the type out",
    );
  }
  const isAlias = node.type === "TSTypeAliasDeclaration";
  const isMap = isAlias && declaration.members.some(({ node: { type } }) => type === "TSIndexSignature");
  const { schema, report } =
    isAlias && (node.typeAnnotation.type !== "TSTypeLiteral" || isMap)
      ? readType(node.typeAnnotation, file, context)
      : { schema: objectSchema(declaration, markers, context), report: context.report };
  describe(schema, doc, markers, file, report);
  if (findMarker(markers, "k8s:enum") !== undefined) sortEnum(schema, markers, declaration, context);
  return schema;
}

function sortEnum(
  schema: Schema,
  markers: readonly Marker[],
  { file }: Declaration,
  context: TypeContext,
): void {
  if (schema.enum !== undefined && schema.type === "string") schema.enum = schema.enum.toSorted();
  else {
    const offset = findMarker(markers, "k8s:enum")?.offset ?? 0;
    context.report(
      { file, offset },
      "+k8s:enum: the type is not a union of strings",
      'write type A = "b" | "c"',
    );
  }
}

function objectSchema(
  declaration: Declaration,
  markers: readonly Marker[],
  context: DeclarationContext,
): Schema {
  const schema: Schema = { type: "object" };
  const branches = heritageOf(declaration).map((heritage) => embeddedSchema(heritage, declaration, context));
  if (branches.length > 0) schema.allOf = branches;
  const root = isRoot(declaration, context);
  const properties: Record<string, Schema> = root ? { metadata: { type: "object" } } : {};
  const required: string[] = [];
  const immutable: string[] = [];
  const exclusive = oneOfFields(markers, declaration, context);
  for (const member of declaration.members) {
    const field = fieldOf(member, declaration, context);
    if (field === undefined) continue;
    const { name, node } = field;
    // KubeObject declares these fields.
    if (root && (name === "apiVersion" || name === "kind")) continue;
    const read = readMarkers(member.markers, "field", declaration.file, `the field ${name}`, context.report);
    if (isRequired(read, node.optional, declaration, context)) {
      required.push(name);
      if (exclusive.has(name)) {
        const place = { file: declaration.file, offset: node.start };
        context.report(
          place,
          `a marker that ends in OneOf names ${name}, so the field must be optional`,
          `write ${name}?:`,
        );
      }
    }
    if (findMarker(read, "k8s:immutable") !== undefined) immutable.push(name);
    if (Object.hasOwn(properties, name) && !(root && name === "metadata")) {
      const place = { file: declaration.file, offset: node.start };
      context.report(place, `${declaration.name} declares the field ${name} twice`, "remove one");
    }
    properties[name] =
      root && name === "metadata"
        ? { type: "object" }
        : fieldSchema(member, node, read, declaration, context);
  }
  if (Object.keys(properties).length > 0) schema.properties = properties;
  if (required.length > 0) schema.required = required.sort();
  for (const name of immutable.filter((each) => !required.includes(each))) {
    addRule(schema, {
      rule: `!has(oldSelf.${name}) || has(self.${name})`,
      message: `field ${name} is immutable once set`,
    });
  }
  return schema;
}

function fieldSchema(
  { doc }: Member,
  node: TSPropertySignature,
  markers: readonly Marker[],
  { file }: Declaration,
  context: TypeContext,
): Schema {
  const type = node.typeAnnotation?.typeAnnotation;
  const schemaless = findMarker(markers, "kubebuilder:validation:Schemaless") !== undefined;
  if (type === undefined || schemaless) return describe({}, doc, markers, file, context.report);
  const { schema, report } = readType(type, file, context);
  return describe(schema, doc, markers, file, report);
}

/** Adds the description and applies the markers to the schema, and returns it. */
function describe(
  schema: Schema,
  doc: string,
  markers: readonly Marker[],
  file: SourceFile,
  report: Report,
): Schema {
  if (doc !== "") schema.description = doc;
  applyMarkers(schema, markers, file, report);
  return schema;
}

/**
 * Returns the schema of a type, and the function to which its markers report. If the type is invalid, that
 * function ignores problems, so the author sees only the problem of the type.
 */
function readType(type: TSType, file: SourceFile, context: TypeContext): { schema: Schema; report: Report } {
  let isInvalid = false;
  const report: Report = (...problem) => {
    isInvalid = true;
    context.report(...problem);
  };
  const schema = typeSchema(type, file, { ...context, report });
  return { schema, report: isInvalid ? () => {} : context.report };
}

/** Returns whether a field is required. Markers override the `?`. */
function isRequired(
  markers: readonly Marker[],
  optional: boolean,
  declaration: Declaration,
  context: DeclarationContext,
): boolean {
  const has = (name: string): boolean => findMarker(markers, name) !== undefined;
  if (has("kubebuilder:validation:Optional")) return false;
  if (has("kubebuilder:validation:Required")) return true;
  if (has("optional") || has("k8s:optional")) return false;
  if (has("required") || has("k8s:required")) return true;
  return !optional && !context.optionalByDefault(declaration);
}

function fieldOf(
  { node }: Member,
  { file }: Declaration,
  { report }: TypeContext,
): { name: string; node: TSPropertySignature } | undefined {
  const place = { file, offset: node.start };
  if (node.type === "TSIndexSignature") {
    report(
      place,
      "an index signature beside fields has no schema",
      "move it to a field of type Record<string, …>",
    );
    return undefined;
  }
  if (node.type !== "TSPropertySignature") {
    report(place, "JSON cannot represent functions", "declare data fields only");
    return undefined;
  }
  const { key } = node;
  const name =
    !node.computed && key.type === "Identifier"
      ? key.name
      : key.type === "Literal" && typeof key.value === "string"
        ? key.value
        : undefined;
  if (name === undefined) {
    report(place, "the name of this field is computed", "write the name out");
    return undefined;
  }
  if (name === "__proto__") {
    report(place, "__proto__ cannot be the name of a field", "choose another name");
    return undefined;
  }
  if (node.typeAnnotation === null) report(place, `${name} has no type`, "write one after a colon");
  return { name, node };
}

/** Returns the fields that AtMostOneOf, ExactlyOneOf and AtLeastOneOf name. */
function oneOfFields(
  markers: readonly Marker[],
  declaration: Declaration,
  { report }: TypeContext,
): Set<string> {
  const { file, members } = declaration;
  const fields = new Set<string>();
  // The names may be inherited fields, which are not looked up here.
  const hasAllFields = heritageOf(declaration).length === 0;
  const names = members.flatMap(({ node }) =>
    node.type === "TSPropertySignature" && node.key.type === "Identifier" ? [node.key.name] : [],
  );
  for (const { definition, value, offset } of markers) {
    if (!/OneOf$/.test(definition.name)) continue;
    for (const name of value as readonly string[]) {
      if (name.includes("."))
        report({ file, offset }, `+${definition.name}: ${name} is not a field of this type`);
      else if (hasAllFields && !names.includes(name)) {
        report(
          { file, offset },
          `+${definition.name}: there is no field ${name}`,
          `the fields are ${names.join(", ")}`,
        );
      }
      fields.add(name);
    }
  }
  return fields;
}
