import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../../../apimachinery/validation/cause.ts";
import { named } from "../../../../apimachinery/validation/rules.ts";
import {
  isConfigMapKey,
  isDns1123Subdomain,
  isEnvironmentVariableName,
  isQualifiedName,
} from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";
import { objects, text } from "../../../../lib/json/read.ts";

const sources = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
const resourceFields = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const fields = new Set([
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/** Validates a list of core/v1 EnvVars. */
export function validateEnvironment(env: JsonValue | undefined, path: string): StatusCause[] {
  return objects(env).flatMap((variable, index) => {
    const inner = `${path}[${index}]`;
    const causes = named(variable.name, `${inner}.name`, isEnvironmentVariableName);
    return isJsonObject(variable.valueFrom)
      ? [...causes, ...validateSource(variable.valueFrom, text(variable.value), `${inner}.valueFrom`)]
      : causes;
  });
}

function validateSource(source: JsonObject, value: string, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { fieldRef, configMapKeyRef, secretKeyRef } = source;
  const count = sources.filter((name) => isJsonObject(source[name])).length;
  if (isJsonObject(fieldRef)) causes.push(...validateFieldRef(fieldRef, `${path}.fieldRef`));
  const { resource } = isJsonObject(source.resourceFieldRef) ? source.resourceFieldRef : {};
  if (resource !== undefined && !resourceFields.includes(text(resource).replace(/hugepages-.*/, "cpu"))) {
    causes.push(notSupported(`${path}.resourceFieldRef.resource`, resource, resourceFields));
  }
  if (isJsonObject(configMapKeyRef))
    causes.push(...validateKeyRef(configMapKeyRef, `${path}.configMapKeyRef`));
  if (isJsonObject(secretKeyRef)) causes.push(...validateKeyRef(secretKeyRef, `${path}.secretKeyRef`));
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    causes.push(invalid(path, "", detail));
  } else if (value !== "") {
    causes.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    causes.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return causes;
}

function validateFieldRef(reference: JsonObject, path: string): StatusCause[] {
  const fieldPath = text(reference.fieldPath);
  if (text(reference.apiVersion) === "") return [required(`${path}.apiVersion`)];
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath);
  if (subscript !== null) {
    const key = subscript[2] ?? "";
    return isQualifiedName(subscript[1] === "labels" ? key : key.toLowerCase()).map((error) =>
      invalid(path, key, error),
    );
  }
  if (fields.has(fieldPath)) return [];
  const detail = `error converting fieldPath: field label not supported: ${fieldPath}`;
  return [invalid(`${path}.fieldPath`, fieldPath, detail)];
}

function validateKeyRef(reference: JsonObject, path: string): StatusCause[] {
  const name = text(reference.name);
  return [
    ...isDns1123Subdomain(name).map((error) => invalid(`${path}.name`, name, error)),
    ...named(reference.key, `${path}.key`, isConfigMapKey),
  ];
}

/** Validates a list of core/v1 EnvFromSources. */
export function validateEnvironmentFrom(envFrom: JsonValue | undefined, path: string): StatusCause[] {
  return objects(envFrom).flatMap((source, index) => {
    const inner = `${path}[${index}]`;
    const references = ["configMapRef", "secretRef"].filter((name) => isJsonObject(source[name]));
    const causes = references.flatMap((name) => {
      const reference = source[name];
      return isJsonObject(reference)
        ? named(reference.name, `${inner}.${name}.name`, isDns1123Subdomain)
        : [];
    });
    if (references.length === 0) {
      causes.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (references.length > 1) {
      causes.push(invalid(path, "", "may not have more than one field specified at a time"));
    }
    return causes;
  });
}
