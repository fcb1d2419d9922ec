import type { Strategy } from "../../server/registry/strategy.ts";
import { checkBinding, checkRole } from "./escalation.ts";

/** Roles and ClusterRoles. */
export const roleStrategy: Strategy = {
  createOnUpdate: true,
  prepareForCreate: (draft, context, scope) => checkRole(draft, undefined, context, scope),
  prepareForUpdate: (draft, old, context, _subresource, scope) => checkRole(draft, old, context, scope),
};

/** RoleBindings and ClusterRoleBindings. */
export const bindingStrategy: Strategy = {
  createOnUpdate: true,
  prepareForCreate: (draft, context, scope) => checkBinding(draft, undefined, context, scope),
  prepareForUpdate: (draft, old, context, _subresource, scope) => checkBinding(draft, old, context, scope),
};
