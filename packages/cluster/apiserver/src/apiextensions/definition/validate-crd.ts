import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { isDns1035Label, isDns1123Subdomain } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import { validateConversion } from "./validate-conversion.ts";
import { validateCrdSchema } from "./validate-crd-schema.ts";
import { validateColumns, validateScale, validateSelectableFields } from "./validate-crd-version.ts";

/**
 * Validates an apiextensions/v1 CustomResourceDefinition: names, versions, conversion, and that each schema
 * is structural (ValidateCustomResourceDefinition). Validates the status too, which is created before.
 */
export function validateCrd(crd: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(crd.spec);
  const names = object(spec.names);
  const causes: StatusCause[] = [];
  const name = `${text(names.plural)}.${text(spec.group)}`;
  if (crd.metadata.name !== name) {
    causes.push(invalid("metadata.name", crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  causes.push(
    ...validateGroup(crd, text(spec.group)),
    ...(spec.scope === "Cluster" || spec.scope === "Namespaced" ? [] : validateScope(spec.scope)),
    ...validateNames(names, "spec.names"),
    ...validateVersions(crd, spec),
    ...validateConversion(object(spec.conversion)),
  );
  if (spec.preserveUnknownFields === true) {
    const detail =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    causes.push(invalid("spec.preserveUnknownFields", true, detail));
  }
  return old === undefined ? causes : [...causes.filter(isNotAboutNames), ...validateCrdUpdate(crd, old)];
}

/** Once accepted, names are only checked for changes. */
function isNotAboutNames({ field }: StatusCause): boolean {
  return field !== "metadata.name";
}

function validateScope(scope: JsonValue | undefined): StatusCause[] {
  if (text(scope) === "") return [required("spec.scope")];
  return [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function validateGroup(crd: ApiObject, group: string): StatusCause[] {
  if (group === "") return [required("spec.group")];
  const causes = isDns1123Subdomain(group).map((error) => invalid("spec.group", group, error));
  if (causes.length === 0 && !group.includes(".")) {
    causes.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  }
  const approval = "api-approved.kubernetes.io";
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (isProtected && !crd.metadata.annotations?.[approval]) {
    const detail = `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`;
    causes.push(required(`metadata.annotations[${approval}]`, detail));
  }
  return causes;
}

function validateNames(names: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const key of ["plural", "singular", "kind", "listKind"]) {
    const name = text(names[key]);
    const mixed = key.toLowerCase().endsWith("kind");
    if (name === "") {
      causes.push(required(`${path}.${key}`));
      continue;
    }
    for (const error of isDns1035Label(mixed ? name.toLowerCase() : name)) {
      const detail = mixed ? `may have mixed case, but should otherwise match: ${error}` : error;
      causes.push(invalid(`${path}.${key}`, name, detail));
    }
  }
  for (const key of ["shortNames", "categories"]) {
    texts(names[key]).forEach((name, index) => {
      causes.push(...isDns1035Label(name).map((error) => invalid(`${path}.${key}[${index}]`, name, error)));
    });
  }
  if (text(names.kind) !== "" && names.kind === names.listKind) {
    causes.push(invalid(`${path}.listKind`, names.listKind, "kind and listKind may not be the same"));
  }
  return causes;
}

function validateVersions(crd: ApiObject, spec: JsonObject): StatusCause[] {
  const versions = objects(spec.versions);
  const causes: StatusCause[] = [];
  const shown = () => (spec.versions === undefined ? null : versions.map(internalVersion));
  const names = versions.map(({ name }) => text(name));
  const storage = versions.filter((version) => version.storage === true);
  versions.forEach((version, index) => {
    causes.push(...validateVersion(version, `spec.versions[${index}]`, versions.length === 1));
  });
  if (new Set(names).size < names.length) {
    causes.push(invalid("spec.versions", shown(), "must contain unique version names"));
  }
  if (storage.length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    causes.push(invalid("spec.versions", shown(), detail));
  }
  return [...causes, ...validateStoredVersions(crd, names, storage)];
}

function validateStoredVersions(crd: ApiObject, names: string[], storage: JsonObject[]): StatusCause[] {
  const path = "status.storedVersions";
  const stored = texts(object(crd.status).storedVersions);
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const missing = stored.flatMap((version, index) => {
    if (names.includes(version)) return [];
    const detail = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    return [invalid(`${path}[${index}]`, version, detail)];
  });
  const current = text(storage.at(-1)?.name);
  if (current !== "" && !stored.includes(current)) {
    missing.push(invalid(path, stored, `must have the storage version ${current}`));
  }
  return missing;
}

/**
 * Validates a version. @param only whether it is the only one: a real server then reports the field paths of
 * v1beta1
 */
function validateVersion(version: JsonObject, path: string, only: boolean): StatusCause[] {
  const causes: StatusCause[] = [];
  const name = text(version.name);
  for (const error of isDns1035Label(name)) {
    causes.push(invalid(`${path}.name`, name, error));
    if (only) causes.push(invalid("spec.version", name, error));
  }
  for (const error of validateDeprecationWarning(version)) {
    causes.push(invalid(`${path}.deprecationWarning`, version.deprecationWarning, error));
  }
  const schema = object(version.schema).openAPIV3Schema;
  if (!isJsonObject(schema)) causes.push(required(`${path}.schema.openAPIV3Schema`));
  else {
    const place = only ? "spec.validation.openAPIV3Schema" : `${path}.schema.openAPIV3Schema`;
    causes.push(...validateCrdSchema(schema as RawSchema, place));
  }
  const top = only ? "spec" : path;
  causes.push(
    ...validateColumns(version, `${top}.additionalPrinterColumns`),
    ...validateScale(version, `${top}.subresources.scale`),
    ...validateSelectableFields(version, `${top}.selectableFields`),
  );
  return causes;
}

function validateDeprecationWarning({ deprecated, deprecationWarning }: JsonObject): string[] {
  if (typeof deprecationWarning !== "string") return [];
  if (deprecated !== true) return ["can only be set for deprecated versions"];
  const errors: string[] = [];
  if (Buffer.byteLength(deprecationWarning) > 256) errors.push("must be <= 256 characters long");
  if (deprecationWarning === "") errors.push("must not be an empty string");
  const bad = /[^\P{C}]|[\p{Z}--[ ]]/v.exec(deprecationWarning);
  if (bad !== null) {
    const at = Buffer.byteLength(deprecationWarning.slice(0, bad.index));
    errors.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
  return errors;
}

/** Returns a version as a real server's message shows it: in its internal form, without the shared schema. */
function internalVersion(version: JsonObject): JsonObject {
  return {
    Name: version.name ?? "",
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

function validateCrdUpdate(crd: ApiObject, old: ApiObject): StatusCause[] {
  const established = objects(object(old.status).conditions).some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const spec = object(crd.spec);
  const before = object(old.spec);
  const names = object(spec.names);
  const namesBefore = object(before.names);
  const pairs: [string, JsonValue | undefined, JsonValue | undefined][] = [
    ["spec.group", spec.group, before.group],
    ["spec.names.plural", names.plural, namesBefore.plural],
  ];
  if (established) {
    pairs.push(["spec.scope", spec.scope, before.scope], ["spec.names.kind", names.kind, namesBefore.kind]);
  }
  return pairs
    .filter(([, value, earlier]) => !isDeepStrictEqual(value, earlier))
    .map(([path, value]) => invalid(path, value, "field is immutable"));
}
