import type { ApiKind } from "../api/api.ts";
import { isReservedWord } from "../identifiers.ts";
import { findMarker } from "../markers/registry.ts";
import type { Place, Report } from "../problem.ts";
import type { Schema } from "../schema/schema.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

/** The name of a version or a resource (RFC 1035). */
export const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomainPart = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether a name may be that of a custom resource's group. */
export function isGroup(name: string): boolean {
  const parts = name.split(".");
  return name.length <= 253 && parts.length >= 2 && parts.every((part) => subdomainPart.test(part));
}

/** More values than any server takes: etcd's limit for one object is 1.5 MiB. */
const mostValues = 100_000;

/**
 * Reports names that a server would refuse, or that would lead a file elsewhere: they become parts of paths, of URLs and of
 * identifiers. And a schema that grows beyond all bounds, as types that hold each other twice make it.
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
    const what = `${quote(group)} is no group: it is a DNS name with a dot (RFC 1123)`;
    report(ofPackage("groupName", first), what, "+groupName=cache.example.com is one");
  }
  for (const kind of kinds) {
    if (label.test(kind.version)) continue;
    const what = `${quote(kind.version)} is no version: lower-case letters, digits and "-"`;
    report(
      ofPackage("versionName", kind),
      what,
      "v1alpha1 is one: call the folder so, or say +versionName=…",
    );
  }
  if (!label.test(names.listKind.toLowerCase())) {
    const what = `${quote(names.kind)} is no kind: letters, digits and "-", 59 at most`;
    report(ofKind, what, "choose another name");
    return;
  }
  if (isReservedWord(constant)) {
    const what = `of ${names.kind} a constant called ${constant} would be made, and JavaScript has that word`;
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
    const what = `+kubebuilder:resource: ${quote(name)} is no name of a resource: lower-case letters, digits and "-"`;
    report({ file, offset: marker?.offset ?? offset }, what, "choose another name");
  }
  const counts = new Map<Schema, number>();
  if (versions.some(({ schema }) => countValues(schema.openAPIV3Schema, counts) > mostValues)) {
    const what = `the schema of ${names.kind} has more than ${mostValues.toLocaleString("en")} values, and no server stores it`;
    report(ofKind, what, "use JSONValue where types hold each other many times");
  }
}

/** A type that is used in several places is one object, and counted once. */
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
