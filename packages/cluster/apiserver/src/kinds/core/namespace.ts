import { forbidden, type StatusCause } from "../../apimachinery/errors.ts";
import { invalid } from "../../apimachinery/validation/cause.ts";
import { isDns1123Label, isQualifiedName } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, text, texts } from "../../lib/json/read.ts";
import { field, readField } from "../../server/registry/selectable-fields.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, setDefault } from "../set-default.ts";

/** Namespaces that cannot be deleted (admission plugin NamespaceLifecycle). */
const undeletable = ["default", "kube-system", "kube-public"];

const namespaceStrategy: Strategy = {
  returnsDeleted: true,
  deletesItself: true,
  initialStatus: () => ({ phase: "Active" }),
  prepareForCreate(draft) {
    const spec = isJsonObject(draft.spec) ? draft.spec : {};
    const finalizers = Array.isArray(spec.finalizers) ? spec.finalizers : [];
    // The namespace controller removes this finalizer when the contents are deleted.
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
    if (undeletable.includes(name))
      throw forbidden("", "namespaces", name, "this namespace may not be deleted");
  },
  markDeleting(draft) {
    draft.status = { ...(draft.status as object), phase: "Terminating" };
  },
  heldBack: (namespace) => specFinalizers(namespace).length > 0,
};

function specFinalizers(namespace: ApiObject): string[] {
  const finalizers = isJsonObject(namespace.spec) ? namespace.spec.finalizers : undefined;
  return Array.isArray(finalizers) ? (finalizers as string[]) : [];
}

/** Gives a core/v1 Namespace its name as a label, for selectors. */
function defaultNamespace(namespace: JsonObject): void {
  const metadata = ensureObject(namespace, "metadata");
  if (metadata.name) ensureObject(metadata, "labels")["kubernetes.io/metadata.name"] = metadata.name;
  setDefault(ensureObject(namespace, "status"), "phase", "Active");
}

/**
 * Validates the finalizers in the spec of a core/v1 Namespace. They follow the rules of those in the
 * metadata.
 */
function validateNamespace(namespace: ApiObject): StatusCause[] {
  return texts(object(namespace.spec).finalizers).flatMap((finalizer) =>
    validateFinalizer(finalizer, "spec.finalizers"),
  );
}

/** Validates the body of a PUT on the subresource finalize. */
function validateFinalize(namespace: ApiObject): StatusCause[] {
  return texts(object(namespace.spec).finalizers).flatMap((finalizer, index) =>
    validateFinalizer(finalizer, `spec.finalizers[${index}]`),
  );
}

function validateFinalizer(finalizer: string, path: string): StatusCause[] {
  const errors = isQualifiedName(finalizer).map((error) => invalid(path, finalizer, error));
  if (finalizer.includes("/") || finalizer === "kubernetes") return errors;
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [...errors, invalid(path, finalizer, detail)];
}

/** Validates a core/v1 NamespaceStatus: its phase must match whether the namespace is being deleted. */
function validateNamespaceStatus(namespace: ApiObject): StatusCause[] {
  const phase = text(object(namespace.status).phase);
  const isTerminating = namespace.metadata.deletionTimestamp !== undefined;
  if (isTerminating ? phase === "Terminating" : phase === "Active") return [];
  const words = isTerminating
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalid("status.Phase", phase, words)];
}

interface Namespace extends Named {
  status?: { phase?: string };
}

const namespacePrinter = definePrinter<Namespace>((object, context) => [
  nameOf(object),
  object.status?.phase ?? "",
  ageOf(object, context),
]);

/** core/v1 Namespace. */
export const namespaceKind: BuiltInKind = {
  strategy: namespaceStrategy,
  setDefaults: defaultNamespace,
  validateName: isDns1123Label,
  validate: validateNamespace,
  validateSubresource: { finalize: validateFinalize, status: validateNamespaceStatus },
  printer: namespacePrinter,
  fieldLabels: new Map([field("status.phase"), ["name", readField("metadata", "name")]]),
};
