import { ApiError, apiVersionOf, isForbidden, type KubeObject, type Resource } from "@operator-path/client";
import type { Scheme } from "./scheme.ts";

/**
 * Adds the missing RBAC rule to the error of a write with an owner reference. The API server's admission
 * plugin OwnerReferencesPermissionEnforcement rejects such a write, and its message names no rule.
 *
 * @param object the object that was written
 * @param resource the resource of the object
 * @returns the error with the rule in its message, or any other error unchanged
 */
export function withMissingRule(
  error: unknown,
  object: KubeObject,
  resource: Resource,
  scheme: Scheme,
): unknown {
  if (!isForbidden(error)) return error;
  const rules = missingRules(error.message, object, resource, scheme);
  if (rules.length === 0) return error;
  const markers = rules.map((rule) => `// +kubebuilder:rbac:${rule}`).join(" and ");
  const message = `${error.message}; add to the operator's role: ${markers}`;
  const named = new ApiError(error.status, error.retryAfter, message, error.request);
  named.cause = error;
  return named;
}

function missingRules(message: string, object: KubeObject, resource: Resource, scheme: Scheme): string[] {
  if (message.includes("cannot set an ownerRef on a resource you can't delete")) {
    return [`${groupAndResource(resource)},verbs=delete`];
  }
  if (!message.includes("cannot set blockOwnerDeletion")) return [];
  const blocking = (object.metadata?.ownerReferences ?? []).filter((owner) => owner.blockOwnerDeletion);
  const owners = scheme
    .resources()
    .filter((known) =>
      blocking.some(({ apiVersion, kind }) => apiVersion === apiVersionOf(known) && kind === known.kind),
    );
  return owners.map((owner) => `${groupAndResource(owner)}/finalizers,verbs=update`);
}

function groupAndResource({ group, plural }: Resource): string {
  return `groups=${group || '""'},resources=${plural}`;
}
