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
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf } from "../set-default.ts";
import { defaultMatchResources, supported, validateMatchResources, validateSelector } from "./match-rules.ts";

/** Validates an admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
function validatePolicyBinding(binding: ApiObject): StatusCause[] {
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

/** Sets the defaults of an admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
function defaultPolicyBinding(binding: JsonObject): void {
  const spec = ensureObject(binding, "spec");
  for (const resources of objectsOf([spec.matchResources ?? null])) defaultMatchResources(resources);
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface PolicyBinding extends Named {
  spec?: { policyName?: string; paramRef?: { namespace?: string; name?: string; selector?: Selector } };
}

const policyBindingPrinter = definePrinter<PolicyBinding>((object, context) => {
  const { policyName = "", paramRef } = object.spec ?? {};
  return [nameOf(object), policyName, paramText(paramRef), ageOf(object, context)];
});

function paramText(paramRef: NonNullable<PolicyBinding["spec"]>["paramRef"]): string {
  if (paramRef === undefined) return "<unset>";
  const { namespace = "", name = "", selector } = paramRef;
  if (name !== "") return namespace === "" ? `*/${name}` : `${namespace}/${name}`;
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** Formats a selector as Go prints the struct: metav1.LabelSelector has a String method. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
    .join("");
  const expressions = matchExpressions
    .map(({ key, operator, values = [] }) => {
      return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`;
    })
    .join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}

/** admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingKind: BuiltInKind = {
  strategy: { generation: true },
  setDefaults: defaultPolicyBinding,
  validate: validatePolicyBinding,
  printer: policyBindingPrinter,
};
