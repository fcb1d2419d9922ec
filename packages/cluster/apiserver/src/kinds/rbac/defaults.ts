import type { JsonObject } from "../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

/** rbac/v1 RoleBinding and ClusterRoleBinding: an empty API group means RBAC's own, but for ServiceAccounts. */
export function defaultBinding(binding: JsonObject): void {
  setDefault(ensureObject(binding, "roleRef"), "apiGroup", "rbac.authorization.k8s.io");
  for (const subject of objectsOf(binding.subjects)) {
    if (subject.kind === "User" || subject.kind === "Group") {
      setDefault(subject, "apiGroup", "rbac.authorization.k8s.io");
    }
  }
}
