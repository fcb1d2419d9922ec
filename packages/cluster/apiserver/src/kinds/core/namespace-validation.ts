import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { object, text, texts } from "../../lib/json/read.ts";

/** core/v1 Namespace: finalizers of its spec are names like those of the metadata. */
export function validateNamespace(namespace: ApiObject): StatusCause[] {
  return texts(object(namespace.spec).finalizers).flatMap((finalizer) => {
    const errors = isQualifiedName(finalizer).map((error) => invalid("spec.finalizers", finalizer, error));
    if (finalizer.includes("/") || finalizer === "kubernetes") return errors;
    const detail = "name is neither a standard finalizer name nor is it fully qualified";
    return [...errors, invalid("spec.finalizers", finalizer, detail)];
  });
}

/** core/v1 NamespaceStatus: the phase says whether it is going. */
export function validateNamespaceStatus(namespace: ApiObject): StatusCause[] {
  const phase = text(object(namespace.status).phase);
  const isGoing = namespace.metadata.deletionTimestamp !== undefined;
  if (isGoing ? phase === "Terminating" : phase === "Active") return [];
  const words = isGoing
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalid("status.Phase", phase, words)];
}
