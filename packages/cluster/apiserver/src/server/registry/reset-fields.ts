import { emptySet, type FieldSet, fieldSetOf } from "../../lib/structured-merge-diff/field-set.ts";
import { fieldElement } from "../../lib/structured-merge-diff/path-element.ts";
import type { ResourceType } from "../types/resource-type.ts";

const set = (...paths: string[]): FieldSet =>
  fieldSetOf(...paths.map((path) => path.split(".").map(fieldElement)));

const status = set("status");
const spec = set("spec");
const all = set("metadata", "spec");

/** What a write to the status does not set, where it is more than the spec. By `plural.group`. */
const statusResets: Record<string, FieldSet> = {
  "pods.": set("spec", "metadata.deletionTimestamp", "metadata.ownerReferences"),
  "deployments.apps": set("spec", "metadata.labels"),
  "validatingadmissionpolicies.admissionregistration.k8s.io": all,
  "flowschemas.flowcontrol.apiserver.k8s.io": all,
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": all,
  "servicecidrs.networking.k8s.io": all,
  "volumeattachments.storage.k8s.io": all,
};

/**
 * The fields that a write to a (sub)resource leaves as they are, whatever it says: nobody owns them for having named
 * them (GetResetFields of the strategies of Kubernetes).
 */
export function resetFieldsOf(type: ResourceType, subresource: string): FieldSet {
  if (!type.subresources.includes("status")) return emptySet;
  switch (subresource) {
    case "":
    case "finalize":
      return status;
    case "status":
      if (type.custom !== undefined) return all;
      return statusResets[`${type.plural}.${type.group}`] ?? spec;
    default:
      return emptySet;
  }
}
