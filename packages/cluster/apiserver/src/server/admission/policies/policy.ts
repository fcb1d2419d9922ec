import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { object, objects, text, texts } from "../../../lib/json/read.ts";
import type { Store } from "../../storage/store.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import type { MatchResources, Rule } from "../webhooks/matching.ts";
import { createExpression, type PolicyExpression } from "./expression.ts";
import { type MatchCondition, type MatchConditions, readMatchConditions } from "./match-conditions.ts";

export interface Validation {
  expression: string;
  program: PolicyExpression;
  message: string;
  messageExpression: PolicyExpression | undefined;
  /** The reason of the Status. "" means Invalid. */
  reason: string;
}

/** A parsed admissionregistration/v1 ValidatingAdmissionPolicy. */
export interface ValidatingPolicy {
  name: string;
  failurePolicy: string;
  paramKind: { apiVersion: string; kind: string } | undefined;
  resources: MatchResources;
  matchConditions: MatchConditions;
  variables: { name: string; program: PolicyExpression }[];
  validations: Validation[];
  auditAnnotations: { expression: string; program: PolicyExpression }[];
}

/** A parsed admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
export interface PolicyBinding {
  name: string;
  policyName: string;
  paramRef: JsonObject | undefined;
  /** Undefined: everything that the policy matches. */
  resources: MatchResources | undefined;
  validationActions: string[];
}

export interface BoundPolicy {
  policy: ValidatingPolicy;
  bindings: PolicyBinding[];
}

const policies = "validatingadmissionpolicies.admissionregistration.k8s.io";
const bindings = "validatingadmissionpolicybindings.admissionregistration.k8s.io";

/** Returns a function that reads the bound policies by name. It parses each version of an object once. */
export function createPolicyReader(): (store: Store) => readonly BoundPolicy[] {
  const knownPolicies = new WeakMap<StoredObject, ValidatingPolicy>();
  const knownBindings = new WeakMap<StoredObject, PolicyBinding>();
  return (store) => {
    if (store.count(policies) === 0 || store.count(bindings) === 0) return [];
    const all = store.range(bindings).map((stored) => remember(knownBindings, stored, readBinding));
    return store.range(policies).flatMap((stored) => {
      const policy = remember(knownPolicies, stored, readPolicy);
      const bound = all.filter(({ policyName }) => policyName === policy.name);
      return bound.length === 0 ? [] : [{ policy, bindings: bound }];
    });
  };
}

function remember<T>(
  known: WeakMap<StoredObject, T>,
  stored: StoredObject,
  read: (source: ApiObject) => T,
): T {
  const found = known.get(stored);
  if (found !== undefined) return found;
  const made = read(stored.object);
  known.set(stored, made);
  return made;
}

function readPolicy(source: ApiObject): ValidatingPolicy {
  const spec = object(source.spec);
  const { paramKind } = spec;
  return {
    name: source.metadata.name as string,
    failurePolicy: text(spec.failurePolicy) || "Fail",
    paramKind: isJsonObject(paramKind)
      ? { apiVersion: text(paramKind.apiVersion), kind: text(paramKind.kind) }
      : undefined,
    resources: readResources(object(spec.matchConstraints)),
    matchConditions: readMatchConditions(objects(spec.matchConditions) as unknown as MatchCondition[]),
    variables: objects(spec.variables).map(({ name, expression }) => ({
      name: text(name),
      program: createExpression(text(expression)),
    })),
    validations: objects(spec.validations).map((validation) => ({
      expression: text(validation.expression),
      program: createExpression(text(validation.expression)),
      message: text(validation.message),
      messageExpression:
        text(validation.messageExpression) === ""
          ? undefined
          : createExpression(text(validation.messageExpression)),
      reason: text(validation.reason),
    })),
    auditAnnotations: objects(spec.auditAnnotations).map(({ valueExpression }) => ({
      expression: text(valueExpression),
      program: createExpression(text(valueExpression)),
    })),
  };
}

function readBinding(source: ApiObject): PolicyBinding {
  const spec = object(source.spec);
  return {
    name: source.metadata.name as string,
    policyName: text(spec.policyName),
    paramRef: isJsonObject(spec.paramRef) ? spec.paramRef : undefined,
    resources: isJsonObject(spec.matchResources)
      ? withAnyRule(readResources(spec.matchResources))
      : undefined,
    validationActions: texts(spec.validationActions),
  };
}

/** Returns a binding's resources. Without rules, they match everything that the policy matches. */
function withAnyRule(resources: MatchResources): MatchResources {
  if (resources.rules.length > 0) return resources;
  const any = ["*"];
  return { ...resources, rules: [{ operations: any, apiGroups: any, apiVersions: any, resources: ["*/*"] }] };
}

function readResources(constraints: JsonObject): MatchResources {
  return {
    rules: objects(constraints.resourceRules) as Rule[],
    excludeRules: objects(constraints.excludeResourceRules) as Rule[],
    matchPolicy: text(constraints.matchPolicy) || "Equivalent",
    namespaceSelector: object(constraints.namespaceSelector),
    objectSelector: object(constraints.objectSelector),
  };
}
