import { forbidden } from "../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import type { Strategy } from "../../server/registry/strategy.ts";

/** Namespaces that the cluster cannot be without (admission plugin NamespaceLifecycle). */
const immortal = ["default", "kube-system", "kube-public"];

export const namespaceStrategy: Strategy = {
  returnsDeleted: true,
  deletesItself: true,
  initialStatus: () => ({ phase: "Active" }),
  prepareForCreate(draft) {
    const spec = isJsonObject(draft.spec) ? draft.spec : {};
    const finalizers = Array.isArray(spec.finalizers) ? spec.finalizers : [];
    // The namespace controller takes this one away when the contents are gone.
    draft.spec = {
      ...spec,
      finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"],
    };
  },
  prepareForUpdate(draft, old, _context, subresource) {
    // Only the subresource finalize may change them.
    if (subresource === "") draft.spec = { ...(draft.spec as object), finalizers: specFinalizers(old) };
  },
  validateDelete(namespace) {
    const name = namespace.metadata.name ?? "";
    if (immortal.includes(name)) throw forbidden("", "namespaces", name, "this namespace may not be deleted");
  },
  markDeleting(draft) {
    draft.status = { ...(draft.status as object), phase: "Terminating" };
  },
  heldBack: (namespace) => specFinalizers(namespace).length > 0,
};

export function specFinalizers(namespace: ApiObject): string[] {
  const finalizers = isJsonObject(namespace.spec) ? namespace.spec.finalizers : undefined;
  return Array.isArray(finalizers) ? (finalizers as string[]) : [];
}
