import { type AdmissionPlugin, isFor } from "../../server/admission/admission.ts";

const finalizers: Record<string, string> = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
};

/** Gives new claims and volumes a finalizer, which a controller removes when they are no longer used. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate(attributes) {
    const { operation, type, object } = attributes;
    const finalizer = finalizers[type.plural];
    if (finalizer === undefined || operation !== "CREATE" || !isFor(attributes, "", type.plural)) return;
    const present = object?.metadata.finalizers ?? [];
    if (object !== undefined && !present.includes(finalizer))
      object.metadata.finalizers = [...present, finalizer];
  },
};
