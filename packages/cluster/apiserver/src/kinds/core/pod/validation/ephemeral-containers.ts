import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../../../apimachinery/validation/cause.ts";
import { isDns1123Label } from "../../../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";

const path = "spec.ephemeralContainers";

/**
 * Fields that are forbidden in an ephemeral container, because no workload may rely on such a container
 * (allowedEphemeralContainerFields of Kubernetes).
 */
const forbiddenFields = [
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "restartPolicy",
  "resizePolicy",
];

/**
 * Validates an update of pods/ephemeralcontainers: containers may be added, and existing ones must not change
 * (ValidatePodEphemeralContainersUpdate of k8s.io/kubernetes). A real server also shows the change as a diff
 * of Go structs. This one does not.
 */
export function validateEphemeralContainers(pod: ApiObject, old: ApiObject): StatusCause[] {
  const containers = listOf(pod, "ephemeralContainers");
  const others = new Set(
    [...listOf(pod, "containers"), ...listOf(pod, "initContainers")].map(({ name }) => name),
  );
  const names = new Set(others);
  const causes = containers.flatMap((container, index) => {
    const found = validateOne(container, `${path}[${index}]`, names, others);
    names.add(container.name);
    return found;
  });
  for (const before of listOf(old, "ephemeralContainers")) {
    const after = containers.find(({ name }) => name === before.name);
    const subject = `existing ephemeral containers ${JSON.stringify(before.name)}`;
    if (after === undefined) causes.push(forbidden(path, `${subject} may not be removed\n`));
    else if (!isDeepStrictEqual(before, after))
      causes.push(forbidden(path, `${subject} may not be changed\n`));
  }
  return causes;
}

function validateOne(
  container: JsonObject,
  at: string,
  names: ReadonlySet<JsonValue | undefined>,
  others: ReadonlySet<JsonValue | undefined>,
): StatusCause[] {
  const { name, image, targetContainerName: target, resources } = container;
  const causes: StatusCause[] = [];
  if (typeof name !== "string" || name === "") causes.push(required(`${at}.name`));
  else causes.push(...isDns1123Label(name).map((rule) => invalid(`${at}.name`, name, rule)));
  if (typeof image !== "string" || image === "") causes.push(required(`${at}.image`));
  if (name !== undefined && names.has(name)) causes.push(duplicate(`${at}.name`, name));
  if (target !== undefined && target !== "" && !others.has(target)) {
    causes.push(notFound(`${at}.targetContainerName`, target));
  }
  const set = forbiddenFields.filter((field) => container[field] !== undefined);
  if (isJsonObject(resources) && Object.keys(resources).length > 0) set.push("resources");
  causes.push(...set.map((field) => forbidden(`${at}.${field}`, "cannot be set for an Ephemeral Container")));
  return causes;
}

function listOf(pod: ApiObject, field: string): JsonObject[] {
  const list = isJsonObject(pod.spec) ? pod.spec[field] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
