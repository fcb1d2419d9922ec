import { isDeepStrictEqual } from "node:util";
import {
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from "../../lib/formats/names.ts";
import { isJsonObject, type JsonValue, type ObjectMeta, type OwnerReference } from "../../lib/json/json.ts";
import type { StatusCause } from "../errors.ts";
import { managerNameProblems } from "../managed-fields/manager-name.ts";
import { forbidden, invalid, required, tooLong } from "./cause.ts";
import { nonNegative } from "./rules.ts";

export interface ObjectMetaRules {
  namespaced: boolean;
  /** Rule for the name. Default: a lowercase RFC 1123 subdomain. */
  name?: ((name: string) => string[]) | undefined;
  /** Whether the kind is in the core group, which is stricter about finalizers. */
  coreKind?: boolean;
  /** The metadata before an update. */
  old?: ObjectMeta | undefined;
}

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];
const annotationLimit = 256 * 1024;

/**
 * Validates the metadata of any object (ValidateObjectMeta, ValidateObjectMetaUpdate). The name must have
 * been generated.
 */
export function validateObjectMeta(
  metadata: ObjectMeta,
  path: string,
  { namespaced, name: checkName = isDns1123Subdomain, old, coreKind = false }: ObjectMetaRules,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const { name = "", namespace = "" } = metadata;
  const { generateName } = metadata;
  if (generateName) {
    // The server will append a suffix, so a final hyphen is valid here.
    const problems = checkName(generateName.replace(/-$/, "a"));
    causes.push(...problems.map((error) => invalid(`${path}.generateName`, generateName, error)));
  }
  if (name === "") causes.push(required(`${path}.name`, "name or generateName is required"));
  if (old === undefined) {
    if (name !== "") causes.push(...checkName(name).map((error) => invalid(`${path}.name`, name, error)));
    if (!namespaced && namespace !== "")
      causes.push(forbidden(`${path}.namespace`, "not allowed on this type"));
    if (namespaced && namespace !== "") {
      causes.push(
        ...isDns1123Label(namespace).map((error) => invalid(`${path}.namespace`, namespace, error)),
      );
    }
  }
  causes.push(
    ...nonNegative(metadata, path, "generation"),
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validateOwners(metadata.ownerReferences, `${path}.ownerReferences`),
    ...validateFinalizers(metadata.finalizers, `${path}.finalizers`, coreKind),
    ...validateManagers(metadata.managedFields, `${path}.managedFields`),
  );
  if (old !== undefined) causes.push(...validateMetaUpdate(metadata, old, path));
  return causes;
}

/** Validates that each entry has a valid operation and fieldsType (ValidateManagedFields). */
function validateManagers(list: JsonValue | undefined, path: string): StatusCause[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap(({ manager = "", subresource = "" }, index) => {
    const field = `${path}[${index}].manager`;
    const causes: StatusCause[] = managerNameProblems(String(manager)).map((problem) => ({
      ...problem,
      field,
    }));
    if (String(subresource).length > 256) causes.push(tooLong(`${path}[${index}].subresource`, 256));
    return causes;
  });
}

function validateMetaUpdate(metadata: ObjectMeta, old: ObjectMeta, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const added = (metadata.finalizers ?? []).filter(
    (finalizer) => !(old.finalizers ?? []).includes(finalizer),
  );
  if (old.deletionTimestamp !== undefined && added.length > 0) {
    const list = [...added]
      .sort()
      .map((finalizer) => JSON.stringify(finalizer))
      .join(", ");
    causes.push(
      forbidden(
        `${path}.finalizers`,
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
      ),
    );
  }
  for (const key of ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp"] as const) {
    if (!isDeepStrictEqual(metadata[key] ?? "", old[key] ?? "")) {
      causes.push(invalid(`${path}.${key}`, metadata[key] ?? "", "field is immutable"));
    }
  }
  return causes;
}

export function validateLabels(labels: Record<string, string> | undefined, path: string): StatusCause[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...isQualifiedName(key).map((error) => invalid(path, key, error)),
    ...isLabelValue(value).map((error) => invalid(path, value, error)),
  ]);
}

export function validateAnnotations(
  annotations: Record<string, string> | undefined,
  path: string,
): StatusCause[] {
  const entries = Object.entries(annotations ?? {});
  const causes = entries.flatMap(([key]) =>
    isQualifiedName(key.toLowerCase()).map((error) => invalid(path, key, error)),
  );
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (size > annotationLimit) causes.push(tooLong(path, annotationLimit));
  return causes;
}

function validateOwners(owners: OwnerReference[] | undefined, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  let controller: string | undefined;
  for (const owner of owners ?? []) {
    const { apiVersion = "", kind = "", name = "", uid = "" } = owner;
    if (apiVersion === "")
      causes.push(invalid(`${path}.apiVersion`, apiVersion, "version must not be empty"));
    for (const [key, value] of Object.entries({ kind, name, uid })) {
      if (value === "") causes.push(invalid(`${path}.${key}`, value, "must not be empty"));
    }
    if (apiVersion === "v1" && kind === "Event") {
      causes.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (owner.controller !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === undefined) controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      causes.push(invalid(path, owners, detail));
    }
  }
  return causes;
}

function validateFinalizers(
  finalizers: string[] | undefined,
  path: string,
  coreKind: boolean,
): StatusCause[] {
  const list = finalizers ?? [];
  const causes = list.flatMap((finalizer, index) => {
    const errors = isQualifiedName(finalizer).map((error) => invalid(path, finalizer, error));
    if (coreKind && !finalizer.includes("/") && !standardFinalizers.includes(finalizer)) {
      const detail = "name is neither a standard finalizer name nor is it fully qualified";
      errors.push(invalid(`${path}[${index}]`, finalizer, detail));
    }
    return errors;
  });
  if (list.includes("orphan") && list.includes("foregroundDeletion")) {
    const detail = "finalizer orphan and foregroundDeletion cannot be both set";
    causes.push(invalid(path, list, detail));
  }
  return causes;
}
