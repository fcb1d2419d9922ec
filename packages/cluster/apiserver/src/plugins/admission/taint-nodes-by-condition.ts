import { object, objects } from "../../lib/json/read.ts";
import { type AdmissionPlugin, isFor } from "../../server/admission/admission.ts";

const key = "node.kubernetes.io/not-ready";

/**
 * Taints new nodes, so that they get no Pods. The node lifecycle controller removes the taint once they are
 * ready.
 */
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
