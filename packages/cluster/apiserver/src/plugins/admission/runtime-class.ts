import { object, text } from "../../lib/json/read.ts";
import { type AdmissionPlugin, forbiddenBy, isFor } from "../../server/admission/admission.ts";

/**
 * Refuses (403) Pods that name a RuntimeClass, because none exist here, and Pods with an overhead, which only
 * a RuntimeClass can set.
 */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  mutate(attributes) {
    if (attributes.operation !== "CREATE" || !isFor(attributes, "", "pods")) return;
    const { runtimeClassName } = object(attributes.object?.spec);
    if (runtimeClassName === undefined || runtimeClassName === null) return;
    const name = JSON.stringify(text(runtimeClassName));
    throw forbiddenBy(attributes, `pod rejected: RuntimeClass ${name} not found`);
  },
  validate(attributes) {
    if (attributes.operation !== "CREATE" || !isFor(attributes, "", "pods")) return;
    const { overhead } = object(attributes.object?.spec);
    if (overhead === undefined || overhead === null) return;
    throw forbiddenBy(
      attributes,
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
  },
};
