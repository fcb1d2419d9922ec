import { object, objects } from "../../lib/json/read.ts";
import { type AdmissionPlugin, isFor } from "../../server/admission/admission.ts";

/** Lets Pods without their own toleration stay on a lost node for five minutes. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate(attributes) {
    const { operation, object: pod } = attributes;
    if (!isFor(attributes, "", "pods") || pod === undefined || operation === "CONNECT") return;
    const spec = object(pod.spec);
    const tolerations = objects(spec.tolerations);
    const missing = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].filter(
      (key) =>
        !tolerations.some(
          (toleration) =>
            (toleration.key === key || !toleration.key) &&
            (toleration.effect === "NoExecute" || !toleration.effect),
        ),
    );
    if (missing.length === 0) return;
    const added = missing.map((key) => ({
      key,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    }));
    pod.spec = { ...spec, tolerations: [...tolerations, ...added] };
  },
};
