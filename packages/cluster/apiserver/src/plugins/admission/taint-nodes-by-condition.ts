import { object, objects } from "../../lib/json/read.ts";
import { type AdmissionPlugin, isFor } from "../../server/admission/admission.ts";

const key = "node.kubernetes.io/not-ready";

/** New nodes get no Pods before they say that they are ready: the node lifecycle controller takes the taint away. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate(attributes) {
    const { operation, object: node } = attributes;
    if (!isFor(attributes, "", "nodes") || operation !== "CREATE" || node === undefined) return;
    const spec = object(node.spec);
    const taints = objects(spec.taints);
    if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
    node.spec = { ...spec, taints: [...taints, { key, effect: "NoSchedule" }] };
  },
};
