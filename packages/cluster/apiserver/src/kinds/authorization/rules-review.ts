import { badRequest } from "../../apimachinery/errors.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { list, type Rbac } from "../../plugins/rbac/rbac.ts";
import type { UserInfo } from "../../server/auth/user.ts";

/**
 * The status of a SelfSubjectRulesReview: what the user may do in a namespace, and in the whole cluster.
 * @throws ApiStatusError 400
 */
export function reviewRules(rbac: Pick<Rbac, "rulesFor">, user: UserInfo, namespace: string): JsonObject {
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, errors } = rbac.rulesFor(user, namespace);
  return {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs: [...verbs],
        ...(apiGroups.length === 0 ? {} : { apiGroups: [...apiGroups] }),
        resources: [...resources],
        ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] })),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: list(errors) }),
  };
}
