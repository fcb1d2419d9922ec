import { ApiStatusError, notFound, quote } from "../../apimachinery/errors.ts";
import {
  list,
  type PolicyRule,
  parseRules,
  type RoleRef,
  type RuleResolver,
  ruleAllows,
} from "../../kinds/rbac/policy-rule.ts";
import type { AccessAttributes, AccessDecision, Authorizer } from "../../server/auth/authorizer.ts";
import { isPrivileged, type UserInfo } from "../../server/auth/user.ts";
import type { StoredObject } from "../../server/storage/stored-object.ts";
import { type Binding, createBindingIndex, subjectOf } from "./bindings.ts";
import { type RbacStorage, storeDefaultPolicy } from "./default-policy.ts";

/** RBAC over the Roles and Bindings in the store. */
export interface Rbac extends RuleResolver {
  /**
   * Stores the default roles and bindings at the first call. Call it before a client reads them. `authorize`
   * calls it by itself. (At start it would take a tenth of the time.)
   */
  ensureDefaults(): void;
  /** Allows everything to members of system:masters, and to others what a rule of a bound role allows. */
  authorize: Authorizer;
}

/**
 * Returns RBAC over a store that is still empty, because its index starts with the next write. A decision
 * reads only the bindings of the user and their groups.
 */
export function createRbac(storage: RbacStorage): Rbac {
  const { store } = storage;
  const bindings = createBindingIndex(store);
  let hasDefaults = false;
  const parsed = new WeakMap<StoredObject, readonly PolicyRule[]>();

  function ensureDefaults(): void {
    if (hasDefaults) return;
    hasDefaults = true;
    storeDefaultPolicy(storage);
  }

  function rulesOf(role: StoredObject): readonly PolicyRule[] {
    let rules = parsed.get(role);
    if (rules === undefined) {
      rules = parseRules(role.object.rules);
      parsed.set(role, rules);
    }
    return rules;
  }

  function roleRules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] {
    ensureDefaults();
    const plural = kind === "Role" ? "roles" : "clusterroles";
    const key = kind === "Role" ? `${namespace}/${name}` : name;
    const role = store.get(`${plural}.rbac.authorization.k8s.io`, key);
    // A real server's lister says the singular.
    if (role === undefined) throw notFound("rbac.authorization.k8s.io", plural.slice(0, -1), name);
    return rulesOf(role);
  }

  /** Calls back for the bindings that apply, cluster bindings first. */
  function visit(
    user: UserInfo,
    namespace: string,
    visitor: (binding: Binding, rules: readonly PolicyRule[]) => boolean,
    errors: string[],
  ): void {
    ensureDefaults();
    const resolve = (binding: Binding) => {
      let rules: readonly PolicyRule[];
      try {
        rules = roleRules(binding.roleRef, binding.namespace);
      } catch (error) {
        if (!(error instanceof ApiStatusError)) throw error;
        if (!errors.includes(error.message)) errors.push(error.message);
        return true;
      }
      return visitor(binding, rules);
    };
    if (bindings.visit(user, "", resolve) && namespace !== "") bindings.visit(user, namespace, resolve);
  }

  function authorize(attributes: AccessAttributes): AccessDecision {
    const { user, namespace = "" } = attributes;
    if (isPrivileged(user)) return { allowed: true };
    const errors: string[] = [];
    let by: Binding | undefined;
    visit(
      user,
      namespace,
      (binding, rules) => {
        if (rules.some((rule) => ruleAllows(rule, attributes))) by = binding;
        return by === undefined;
      },
      errors,
    );
    if (by !== undefined) return allowedBy(by, user);
    return errors.length === 0 ? { allowed: false } : { allowed: false, reason: `RBAC: ${list(errors)}` };
  }

  return {
    ensureDefaults,
    authorize,
    roleRules,
    rulesFor(user, namespace) {
      const rules: PolicyRule[] = [];
      const errors: string[] = [];
      const seen = new Set<Binding>();
      const visitor = (binding: Binding, found: readonly PolicyRule[]) => {
        // A binding can match the user and also one of their groups. It counts once.
        if (!seen.has(binding)) rules.push(...found);
        seen.add(binding);
        return true;
      };
      visit(user, namespace, visitor, errors);
      return { rules, errors };
    },
  };
}

/** Returns the decision. The reason is a getter: access reviews read it, requests do not. */
function allowedBy(binding: Binding, user: UserInfo): AccessDecision {
  return {
    allowed: true,
    get reason() {
      return `RBAC: allowed by ${describe(binding, user)}`;
    },
  };
}

function describe(binding: Binding, user: UserInfo): string {
  const { name, namespace, roleRef } = binding;
  const subject = subjectOf(binding, user);
  const whom =
    subject?.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace || namespace}` : subject?.name;
  const what =
    namespace === "" ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${what} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject?.kind} ${quote(whom ?? "")}`;
}
