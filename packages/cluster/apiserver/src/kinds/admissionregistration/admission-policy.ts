import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import type { CelType } from "../../lib/cel/types.ts";
import { isDns1035Label, isDns1123Subdomain, isQualifiedName } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import { checkExpression, type ExpressionVariables } from "../../server/admission/policies/expression.ts";
import { fields } from "../../server/registry/reset-fields.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { validateExpression, validateMatchConditions } from "./expressions.ts";
import { defaultMatchResources, supported, validateMatchResources } from "./match-rules.ts";

/** Validates an admissionregistration/v1 ValidatingAdmissionPolicy. */
function validateValidatingAdmissionPolicy(policy: ApiObject): StatusCause[] {
  const spec = object(policy.spec);
  const params = isJsonObject(spec.paramKind);
  const withoutVariables: ExpressionVariables = { params, authorizer: true };
  const { causes, variables } = validateVariables(spec, withoutVariables);
  return [
    ...supported(spec.failurePolicy, "spec.failurePolicy", ["Fail", "Ignore"]),
    ...(isJsonObject(spec.paramKind) ? validateParamKind(spec.paramKind, "spec.paramKind") : []),
    ...validateConstraints(spec.matchConstraints, "spec.matchConstraints"),
    ...validateMatchConditions(spec.matchConditions, "spec.matchConditions", withoutVariables),
    ...causes,
    ...validateContents(policy, spec, variables),
  ];
}

function validateConstraints(constraints: JsonObject[string], path: string): StatusCause[] {
  if (!isJsonObject(constraints)) return [required(path)];
  const causes = validateMatchResources(constraints, path);
  if (objects(constraints.resourceRules).length === 0) causes.push(required(`${path}.resourceRules`));
  return causes;
}

function validateParamKind({ apiVersion, kind }: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const parts = text(apiVersion).split("/");
  const [group, version] = parts.length === 1 ? ["", parts[0]] : [parts[0], parts[1]];
  if (text(apiVersion) === "") causes.push(required(`${path}.apiVersion`));
  else if (parts.length > 2) {
    const detail = `unexpected GroupVersion string: ${text(apiVersion)}`;
    causes.push(invalid(`${path}.apiVersion`, apiVersion, detail));
  } else {
    const groupErrors = group === "" ? [] : isDns1123Subdomain(group as string);
    if (groupErrors.length > 0) causes.push(invalid(`${path}.apiVersion`, group, groupErrors.join(",")));
    if (version === "") causes.push(invalid(`${path}.apiVersion`, apiVersion, "version must be specified"));
    else {
      const errors = isDns1035Label(version as string);
      if (errors.length > 0) causes.push(invalid(`${path}.apiVersion`, version, errors.join(",")));
    }
  }
  if (text(kind) === "") return [...causes, required(`${path}.kind`)];
  const errors = isDns1035Label(text(kind).toLowerCase());
  if (errors.length === 0) return causes;
  const detail = `may have mixed case, but should otherwise match: ${errors.join(",")}`;
  return [...causes, invalid(`${path}.kind`, kind, detail)];
}

/** Validates the variables of a policy. Each one may use those before it. */
function validateVariables(
  spec: JsonObject,
  given: ExpressionVariables,
): { causes: StatusCause[]; variables: ExpressionVariables } {
  const types = new Map<string, CelType>();
  const variables = { ...given, variables: types };
  const causes = objects(spec.variables).flatMap(({ name, expression }, index) => {
    const path = `spec.variables[${index}]`;
    const found: StatusCause[] = [];
    if (text(name).trim() === "") found.push(required(`${path}.name`, "name is not specified"));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(text(name))) {
      found.push(invalid(`${path}.name`, name, "must be a valid CEL identifier"));
    }
    if (text(expression).trim() === "") {
      return [...found, required(`${path}.expression`, "expression is not specified")];
    }
    const type = checkExpression(text(expression), "any", variables);
    if (typeof type === "string") return [...found, invalid(`${path}.expression`, expression, type)];
    types.set(text(name), type);
    return found;
  });
  return { causes, variables };
}

function validateContents(
  policy: ApiObject,
  spec: JsonObject,
  variables: ExpressionVariables,
): StatusCause[] {
  const validations = objects(spec.validations);
  const annotations = objects(spec.auditAnnotations);
  if (validations.length === 0 && annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    return [required("spec.validations", detail), required("spec.auditAnnotations", detail)];
  }
  const keys = annotations.map(({ key }) => text(key));
  return [
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, variables),
    ),
    ...annotations.flatMap((annotation, index) => {
      const path = `spec.auditAnnotations[${index}]`;
      const key = keys[index] as string;
      const name = `${policy.metadata.name}/${key}`;
      const expression = text(annotation.valueExpression);
      return [
        ...isQualifiedName(name).map((error) => invalid(`${path}.key`, name, error)),
        ...(expression.trim() === ""
          ? [required(`${path}.valueExpression`, "valueExpression is not specified")]
          : validateExpression(expression, `${path}.valueExpression`, "string or null", variables)),
        ...(keys.indexOf(key) < index ? [duplicate(`${path}.key`, key)] : []),
      ];
    }),
  ];
}

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

function validateValidation(
  validation: JsonObject,
  path: string,
  variables: ExpressionVariables,
): StatusCause[] {
  const { expression, message, messageExpression, reason } = validation;
  const causes: StatusCause[] =
    text(expression).trim() === ""
      ? [required(`${path}.expression`, "expression is not specified")]
      : validateExpression(text(expression), `${path}.expression`, "bool", variables);
  if (text(messageExpression) !== "") {
    const at = `${path}.messageExpression`;
    if (text(messageExpression).trim() === "") {
      causes.push(invalid(at, messageExpression, "must be non-empty if specified"));
    } else {
      causes.push(
        ...validateExpression(text(messageExpression), at, "string", { ...variables, authorizer: false }),
      );
    }
  }
  if (text(message) !== "" && text(message).trim() === "") {
    causes.push(invalid(`${path}.message`, message, "must be non-empty if specified"));
  } else if (/[\n\r]/.test(text(message).trim())) {
    causes.push(invalid(`${path}.message`, message, "must not contain line breaks"));
  }
  if (reason !== undefined && !reasons.includes(text(reason))) {
    causes.push(notSupported(`${path}.reason`, reason, reasons));
  }
  return causes;
}

/** Sets the defaults of an admissionregistration/v1 ValidatingAdmissionPolicy. */
function defaultValidatingAdmissionPolicy(policy: JsonObject): void {
  const spec = ensureObject(policy, "spec");
  setDefault(spec, "failurePolicy", "Fail");
  for (const constraints of objectsOf([spec.matchConstraints ?? null])) defaultMatchResources(constraints);
}

interface ValidatingAdmissionPolicy extends Named {
  spec?: { validations?: object[]; paramKind?: { apiVersion?: string; kind?: string } };
}

const validatingAdmissionPolicyPrinter = definePrinter<ValidatingAdmissionPolicy>((object, context) => {
  const { validations = [], paramKind } = object.spec ?? {};
  const shown = paramKind === undefined ? "<unset>" : `${paramKind.apiVersion}/${paramKind.kind}`;
  return [nameOf(object), validations.length, shown, ageOf(object, context)];
});

/** admissionregistration/v1 ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyKind: BuiltInKind = {
  strategy: { generation: true },
  setDefaults: defaultValidatingAdmissionPolicy,
  validate: validateValidatingAdmissionPolicy,
  statusResets: fields("metadata", "spec"),
  printer: validatingAdmissionPolicyPrinter,
};
