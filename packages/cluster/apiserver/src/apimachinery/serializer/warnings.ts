import { isDeepStrictEqual } from "node:util";
import { isKnownFormat } from "../../lib/formats/openapi-formats.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { RawSchema } from "../schema/schema.ts";

/**
 * Returns texts for `Warning` headers about fields that are valid, but probably a mistake. Also removes
 * duplicate owner references.
 */
export function warningsFor(object: ApiObject, type: { group: string; kind: string }): string[] {
  const warnings = dedupeOwners(object);
  const spec = isJsonObject(object.spec) ? object.spec : {};
  if (type.group === "apiextensions.k8s.io" && type.kind === "CustomResourceDefinition") {
    warnings.push(...warnOfDefinition(spec));
  }
  return warnings;
}

function dedupeOwners(object: ApiObject): string[] {
  const { ownerReferences } = object.metadata;
  if (ownerReferences === undefined) return [];
  const kept = ownerReferences.filter(
    (owner, index) => ownerReferences.findIndex((other) => isDeepStrictEqual(other, owner)) === index,
  );
  if (kept.length === ownerReferences.length) return [];
  const seen = new Set<string>();
  const repeated = new Set(ownerReferences.filter(({ uid }) => seen.has(uid) || !seen.add(uid)));
  object.metadata.ownerReferences = kept;
  const uids = [...new Set([...repeated].map(({ uid }) => uid))].join(", ");
  return [
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  ];
}

/** Returns warnings about unknown formats in the schemas of a definition. */
function warnOfDefinition(spec: JsonObject): string[] {
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isJsonObject) : [];
  const warnings = new Set<string>();
  for (const version of versions) {
    const schema = isJsonObject(version.schema) ? version.schema.openAPIV3Schema : undefined;
    walk(schema, warnings);
  }
  return [...warnings];
}

function walk(value: JsonValue | undefined, warnings: Set<string>): void {
  if (!isJsonObject(value)) return;
  const schema = value as RawSchema;
  const { format, type } = schema;
  if (type === "string" && typeof format === "string" && !isKnownFormat(format)) {
    warnings.add(`unrecognized format ${JSON.stringify(format)}`);
  }
  for (const property of Object.values(schema.properties ?? {})) {
    walk(property as JsonValue, warnings);
  }
  walk(schema.items as JsonValue | undefined, warnings);
  walk(schema.additionalProperties as JsonValue | undefined, warnings);
}
