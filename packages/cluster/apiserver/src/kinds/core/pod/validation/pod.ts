import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { forbidden, invalid } from "../../../../apimachinery/validation/cause.ts";
import type { ApiObject, JsonObject, JsonValue } from "../../../../lib/json/json.ts";
import { object, objects, text } from "../../../../lib/json/read.ts";
import { validatePodSpec } from "./pod-spec.ts";

/** Validates a core/v1 Pod on its creation. */
export function validatePodCreate(pod: ApiObject): StatusCause[] {
  const spec = object(pod.spec);
  const causes = validatePodSpec(spec, "spec");
  if (objects(spec.ephemeralContainers).length > 0) {
    causes.push(forbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  return causes;
}

const mutable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Validates an update of a Pod, whose spec can hardly change (ValidatePodUpdate). */
export function validatePodUpdate(pod: ApiObject, old: ApiObject): StatusCause[] {
  const spec = object(pod.spec);
  const before = object(old.spec);
  if (isDeepStrictEqual(spec, before)) return [];
  const causes = validatePodSpec(spec, "spec").filter(({ field }) => !field?.startsWith("spec.ephemeral"));
  for (const list of ["containers", "initContainers"]) {
    if (objects(spec[list]).length !== objects(before[list]).length) {
      return [...causes, forbidden(`spec.${list}`, "pod updates may not add or remove containers")];
    }
  }
  causes.push(...validateNewDeadline(spec, before));
  // Restores the fields that may change. Any remaining difference is forbidden.
  const munged: JsonObject = { ...spec };
  restore(munged, before, "activeDeadlineSeconds");
  if (!addsOnly(spec.tolerations, before.tolerations)) {
    const detail = "existing toleration can not be modified except its tolerationSeconds";
    causes.push(forbidden("spec.tolerations", detail));
  }
  restore(munged, before, "tolerations");
  if (Number(before.terminationGracePeriodSeconds) < 0 && spec.terminationGracePeriodSeconds === 1) {
    restore(munged, before, "terminationGracePeriodSeconds");
  }
  for (const list of ["containers", "initContainers"]) {
    if (munged[list] === undefined) continue;
    const images = objects(before[list]);
    munged[list] = objects(spec[list]).map((container, index) => ({
      ...container,
      image: images[index]?.image ?? container.image,
    })) as JsonValue;
  }
  if (!isDeepStrictEqual(munged, before)) {
    causes.push(forbidden("spec", `${mutable}\n${difference(munged, before)}`));
  }
  return causes;
}

function restore(munged: JsonObject, before: JsonObject, key: string): void {
  if (before[key] === undefined) delete munged[key];
  else munged[key] = before[key];
}

function validateNewDeadline(spec: JsonObject, before: JsonObject): StatusCause[] {
  const { activeDeadlineSeconds: deadline } = spec;
  const { activeDeadlineSeconds: earlier } = before;
  if (typeof earlier !== "number") return [];
  const field = "spec.activeDeadlineSeconds";
  if (deadline === undefined)
    return [invalid(field, null, "must not update from a positive integer to nil value")];
  if (typeof deadline !== "number" || deadline <= earlier) return [];
  return [invalid(field, deadline, "must be less than or equal to previous value")];
}

/** Returns whether all previous tolerations are still present. Their seconds may differ. */
function addsOnly(tolerations: JsonValue | undefined, before: JsonValue | undefined): boolean {
  const identity = ({ key, operator, value, effect }: JsonObject) =>
    [key, operator, value, effect].map((part) => text(part)).join("\n");
  const present = new Set(objects(tolerations).map(identity));
  return objects(before).every((toleration) => present.has(identity(toleration)));
}

/** Returns the change as a diff. A real server shows its internal form of the object. */
function difference(spec: JsonObject, before: JsonObject): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(spec)])];
  return keys
    .filter((key) => !isDeepStrictEqual(spec[key], before[key]))
    .flatMap((key) => [line("-", key, before[key]), line("+", key, spec[key])])
    .join("");
}

function line(sign: string, key: string, value: JsonValue | undefined): string {
  return value === undefined ? "" : `${sign} ${JSON.stringify(key)}: ${JSON.stringify(value)}\n`;
}
