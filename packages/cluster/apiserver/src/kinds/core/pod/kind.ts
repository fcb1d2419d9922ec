import { object } from "../../../lib/json/read.ts";
import { fields } from "../../../server/registry/reset-fields.ts";
import { field, fieldWithZero, readField } from "../../../server/registry/selectable-fields.ts";
import type { BuiltInKind } from "../../built-in-kind.ts";
import { podPrinter } from "./columns.ts";
import { defaultPod } from "./defaults.ts";
import { podStrategy } from "./strategy.ts";
import { validatePodCreate, validatePodUpdate } from "./validation/pod.ts";
import { validatePodSpec } from "./validation/pod-spec.ts";
import { podWarnings } from "./warnings.ts";

/** core/v1 Pod. */
export const podKind: BuiltInKind = {
  strategy: podStrategy,
  setDefaults: defaultPod,
  validate: (pod, old) => (old === undefined ? validatePodCreate(pod) : validatePodUpdate(pod, old)),
  validateSubresource: {
    ephemeralcontainers: (pod) =>
      validatePodSpec(object(pod.spec), "spec").filter(({ field }) =>
        field?.startsWith("spec.ephemeralContainers"),
      ),
  },
  warnings: podWarnings,
  statusResets: fields("spec", "metadata.deletionTimestamp", "metadata.ownerReferences"),
  printer: podPrinter,
  fieldLabels: new Map([
    field("spec.nodeName"),
    ["spec.host", readField("spec", "nodeName")],
    field("spec.restartPolicy"),
    field("spec.schedulerName"),
    field("spec.serviceAccountName"),
    fieldWithZero("spec.hostNetwork", "false"),
    field("status.phase"),
    field("status.podIP"),
    ["status.podIPs", readField("status", "podIP")],
    field("status.nominatedNodeName"),
  ]),
};
