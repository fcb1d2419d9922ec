import type { ApiKind } from "../api/api.ts";
import { findMarker } from "../markers/registry.ts";
import type { Place, Report } from "../problem.ts";
import type { Schema } from "../schema/schema.ts";
import { isReservedWord } from "../typescript-text.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

/** The name of a version or a resource (RFC 1035). */
export const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomainPart = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Returns whether a name can be the API group of a custom resource. */
export function isGroup(name: string): boolean {
  const parts = name.split(".");
  return name.length <= 253 && parts.length >= 2 && parts.every((part) => subdomainPart.test(part));
}

/** A schema with more values is too large for any server: etcd's limit for one object is 1.5 MiB. */
const maximumValues = 100_000;

/**
 * Reports invalid names. Names become parts of file paths, URLs and identifiers, so a bad one could lead out
 * of the output folder. Also reports a schema that is too large, which types that contain each other
 * repeatedly produce.
 */
export function checkDefinition(
  { group, names, versions }: CustomResourceDefinition,
  kinds: readonly ApiKind[],
  constant: string,
  report: Report,
): void {
  const [first] = kinds;
  if (first === undefined) return;
  const { file, offset } = first.declaration;
  const ofKind: Place = { file, offset };
  const ofPackage = (name: string, { package: { markers } }: ApiKind): Place => {
    const marker = markers.findLast(({ definition }) => definition.name === name);
    return marker ? { file: marker.file, offset: marker.offset } : ofKind;
  };
  if (!isGroup(group)) {
    const what = `${quote(group)} is not a valid group (a DNS name with a dot, RFC 1123)`;
    report(ofPackage("groupName", first), what, "write one such as +groupName=cache.example.com");
  }
  for (const kind of kinds) {
    if (label.test(kind.version)) continue;
    const what = `${quote(kind.version)} is not a valid version (lower-case letters, digits and "-")`;
    report(
      ofPackage("versionName", kind),
      what,
      "use one such as v1alpha1 as the folder's name or in +versionName=…",
    );
  }
  if (!label.test(names.listKind.toLowerCase())) {
    const what = `${quote(names.kind)} is not a valid kind (letters, digits and "-", at most 59)`;
    report(ofKind, what, "choose another name");
    return;
  }
  if (isReservedWord(constant)) {
    const what = `the generated constant of ${names.kind} would be called ${constant}, a reserved word`;
    report(ofKind, what, "choose another name");
  }
  const marker = findMarker(first.markers, "kubebuilder:resource");
  for (const name of [
    names.plural,
    names.singular,
    ...(names.shortNames ?? []),
    ...(names.categories ?? []),
  ]) {
    if (label.test(name)) continue;
    const what = `+kubebuilder:resource: ${quote(name)} is not a valid resource name (lower-case letters, digits and "-")`;
    report({ file, offset: marker?.offset ?? offset }, what, "choose another name");
  }
  const counts = new Map<Schema, number>();
  if (versions.some(({ schema }) => countValues(schema.openAPIV3Schema, counts) > maximumValues)) {
    const what = `the schema of ${names.kind} has more than ${maximumValues.toLocaleString("en")} values, more than a server can store`;
    report(ofKind, what, "use JSONValue where types contain each other repeatedly");
  }
}

/**
 * Counts the values of a schema. Remembers the count of each schema object, which may be used in several
 * places.
 */
function countValues(schema: Schema, counts: Map<Schema, number>): number {
  const known = counts.get(schema);
  if (known !== undefined) return known;
  const { items, properties = {}, additionalProperties, allOf = [] } = schema;
  const children = [
    ...(items ? [items] : []),
    ...Object.values(properties),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...allOf,
  ];
  const count = children.reduce((sum, child) => sum + countValues(child, counts), 1);
  counts.set(schema, count);
  return count;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text);
}
