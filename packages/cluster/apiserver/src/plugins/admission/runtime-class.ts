import { object, text } from "../../lib/json/read.ts";
import { type AdmissionPlugin, forbiddenBy, isFor } from "../../server/admission/admission.ts";

/** There are no RuntimeClasses: a Pod that names one is refused (403), as is the overhead that only one could give it. */
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
