import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { isDns1123Subdomain, isPathSegment } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { checkBinding, checkRole, type GrantContext } from "./escalation.ts";

/**
 * Sets the defaults of an rbac/v1 RoleBinding or ClusterRoleBinding. An empty API group becomes RBAC's own,
 * except for ServiceAccounts.
 */
function defaultBinding(binding: JsonObject): void {
  setDefault(ensureObject(binding, "roleRef"), "apiGroup", "rbac.authorization.k8s.io");
  for (const subject of objectsOf(binding.subjects)) {
    if (subject.kind === "User" || subject.kind === "Group") {
      setDefault(subject, "apiGroup", "rbac.authorization.k8s.io");
    }
  }
}

/** Validates an rbac/v1 Role or ClusterRole. */
function validateRole(role: ApiObject, isNamespaced: boolean): StatusCause[] {
  const rules = validateRules(role, isNamespaced);
  return isNamespaced || !isJsonObject(role.aggregationRule)
    ? rules
    : [...rules, ...validateAggregation(role.aggregationRule)];
}

function validateAggregation(rule: JsonObject): StatusCause[] {
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = objects(rule.clusterRoleSelectors);
  if (selectors.length === 0) {
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const causes = validateLabelSelector(selector, `${path}[${index}]`);
    if (causes.length === 0) return [];
    return [...causes, invalid(`${path}[${index}]`, null, "invalid label selector.")];
  });
}

function validateRules(role: ApiObject, isNamespaced: boolean): StatusCause[] {
  return objects(role.rules).flatMap((rule, index) => {
    const path = `rules[${index}]`;
    const causes: StatusCause[] = [];
    const urls = texts(rule.nonResourceURLs);
    if (texts(rule.verbs).length === 0) {
      causes.push(required(`${path}.verbs`, "verbs must contain at least one value"));
    }
    if (urls.length > 0) {
      if (isNamespaced) {
        const detail = "namespaced rules cannot apply to non-resource URLs";
        causes.push(invalid(`${path}.nonResourceURLs`, urls, detail));
      }
      if ([rule.apiGroups, rule.resources, rule.resourceNames].some((list) => texts(list).length > 0)) {
        const detail = "rules cannot apply to both regular resources and non-resource URLs";
        causes.push(invalid(`${path}.nonResourceURLs`, urls, detail));
      }
      return causes;
    }
    if (texts(rule.apiGroups).length === 0) {
      causes.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
    }
    if (texts(rule.resources).length === 0) {
      causes.push(required(`${path}.resources`, "resource rules must supply at least one resource"));
    }
    return causes;
  });
}

const rbacGroup = "rbac.authorization.k8s.io";

/** Validates an rbac/v1 RoleBinding or ClusterRoleBinding. */
function validateBinding(binding: ApiObject, isNamespaced: boolean, old?: ApiObject): StatusCause[] {
  const roleRef = object(binding.roleRef);
  const causes: StatusCause[] = [];
  const kinds = isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const name = text(roleRef.name);
  if (roleRef.apiGroup !== rbacGroup) {
    causes.push(notSupported("roleRef.apiGroup", roleRef.apiGroup, [rbacGroup]));
  }
  if (!kinds.includes(text(roleRef.kind))) causes.push(notSupported("roleRef.kind", roleRef.kind, kinds));
  if (name === "") causes.push(required("roleRef.name"));
  else causes.push(...isPathSegment(name).map((error) => invalid("roleRef.name", name, error)));
  if (old !== undefined && !isDeepStrictEqual(roleRef, object(old.roleRef))) {
    const shown = { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name };
    causes.push(invalid("roleRef", shown, "cannot change roleRef"));
  }
  return [...causes, ...validateSubjects(binding, isNamespaced)];
}

function validateSubjects(binding: ApiObject, isNamespaced: boolean): StatusCause[] {
  return objects(binding.subjects).flatMap((subject, index) => {
    const path = `subjects[${index}]`;
    const name = text(subject.name);
    const group = text(subject.apiGroup);
    const causes: StatusCause[] = name === "" ? [required(`${path}.name`)] : [];
    switch (subject.kind) {
      case "ServiceAccount":
        if (name !== "") {
          causes.push(...isDns1123Subdomain(name).map((error) => invalid(`${path}.name`, name, error)));
        }
        if (group !== "") causes.push(notSupported(`${path}.apiGroup`, group, [""]));
        if (!isNamespaced && text(subject.namespace) === "") causes.push(required(`${path}.namespace`));
        return causes;
      case "User":
      case "Group":
        if (group !== rbacGroup) causes.push(notSupported(`${path}.apiGroup`, group, [rbacGroup]));
        return causes;
      default:
        return [...causes, notSupported(`${path}.kind`, subject.kind, ["ServiceAccount", "User", "Group"])];
    }
  });
}

interface RoleBinding extends Named {
  roleRef?: { kind?: string; name?: string };
  subjects?: { kind?: string; name?: string; namespace?: string }[];
}

/** Prints RoleBindings and ClusterRoleBindings. */
const roleBindingPrinter = definePrinter<RoleBinding>((object, context) => {
  const subjects = object.subjects ?? [];
  const named = (kind: string): string[] => {
    return subjects.filter((subject) => subject.kind === kind).map(({ name = "" }) => name);
  };
  const accounts = subjects
    .filter(({ kind }) => kind === "ServiceAccount")
    .map(({ namespace = "", name = "" }) => (namespace === "" ? name : `${namespace}/${name}`));
  return [
    nameOf(object),
    `${object.roleRef?.kind ?? ""}/${object.roleRef?.name ?? ""}`,
    ageOf(object, context),
    named("User").join(", "),
    named("Group").join(", "),
    accounts.join(", "),
  ];
});

/** Returns the kind of Roles or ClusterRoles. */
function roleKind(grants: GrantContext, isNamespaced: boolean): BuiltInKind {
  return {
    strategy: {
      createOnUpdate: true,
      prepareForCreate: (draft, _context, scope) => checkRole(draft, undefined, grants, scope),
      prepareForUpdate: (draft, old, _context, _subresource, scope) => checkRole(draft, old, grants, scope),
    },
    setDefaults(object) {
      object.rules ??= null;
    },
    validateName: isPathSegment,
    validate: (role) => validateRole(role, isNamespaced),
  };
}

/** Returns the kind of RoleBindings or ClusterRoleBindings. */
function bindingKind(grants: GrantContext, isNamespaced: boolean): BuiltInKind {
  return {
    strategy: {
      createOnUpdate: true,
      prepareForCreate: (draft, _context, scope) => checkBinding(draft, undefined, grants, scope),
      prepareForUpdate: (draft, old, _context, _subresource, scope) =>
        checkBinding(draft, old, grants, scope),
    },
    setDefaults: defaultBinding,
    validateName: isPathSegment,
    validate: (binding, old) => validateBinding(binding, isNamespaced, old),
    printer: roleBindingPrinter,
  };
}

/**
 * Returns the kinds of rbac/v1, by plural.
 * @param grants decides whether a user may grant the permissions that they write
 */
export function rbacKinds(grants: GrantContext): Record<string, BuiltInKind> {
  return {
    clusterroles: roleKind(grants, false),
    clusterrolebindings: bindingKind(grants, false),
    roles: roleKind(grants, true),
    rolebindings: bindingKind(grants, true),
  };
}
