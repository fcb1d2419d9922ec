import type { StatusCause } from "../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/validation/cause.ts";
import { isDns1123Subdomain, isPathSegment } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, text, texts } from "../../lib/json/read.ts";
import { supported, validateMatchResources, validateSelector } from "./match-rules.ts";

/** admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
export function validatePolicyBinding(binding: ApiObject): StatusCause[] {
  const spec = object(binding.spec);
  const name = text(spec.policyName);
  return [
    ...(name === ""
      ? [required("spec.policyName")]
      : isDns1123Subdomain(name).map((error) => invalid("spec.policyName", name, error))),
    ...(isJsonObject(spec.paramRef) ? validateParamRef(spec.paramRef, "spec.paramRef") : []),
    ...(isJsonObject(spec.matchResources)
      ? validateMatchResources(spec.matchResources, "spec.matchResources")
      : []),
    ...validateActions(texts(spec.validationActions), "spec.validationActions"),
  ];
}

function validateParamRef(paramRef: JsonObject, path: string): StatusCause[] {
  const name = text(paramRef.name);
  const { selector, parameterNotFoundAction } = paramRef;
  const causes: StatusCause[] = [];
  if (name !== "") {
    causes.push(...isPathSegment(name).map((error) => invalid(`${path}.name`, name, error)));
    if (selector !== undefined) {
      causes.push(forbidden(`${path}.name`, "name and selector are mutually exclusive"));
    }
  }
  if (selector !== undefined) {
    causes.push(...validateSelector(selector, `${path}.selector`));
    if (name !== "") {
      causes.push(forbidden(`${path}.selector`, "name and selector are mutually exclusive"));
    }
  }
  if (name === "" && selector === undefined) {
    causes.push(required(path, "one of name or selector must be specified"));
  }
  if (parameterNotFoundAction === undefined || parameterNotFoundAction === "") {
    return [...causes, required(`${path}.parameterNotFoundAction`)];
  }
  return [
    ...causes,
    ...supported(parameterNotFoundAction, `${path}.parameterNotFoundAction`, ["Deny", "Allow"]),
  ];
}

const actions = ["Audit", "Deny", "Warn"];

function validateActions(given: string[], path: string): StatusCause[] {
  const causes = given.flatMap((action, index) => [
    ...(actions.includes(action) ? [] : [notSupported(`${path}[${index}]`, action, actions)]),
    ...(given.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : []),
  ]);
  if (given.includes("Deny") && given.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    causes.push(invalid(path, given, detail));
  }
  if (given.length === 0) causes.push(required(path, "at least one validation action is required"));
  return causes;
}
