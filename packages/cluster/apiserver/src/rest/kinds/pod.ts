import { isDeepStrictEqual } from "node:util";
import { admitPod, type PriorityClass, tolerateLostNode } from "../../defaults/pod.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../json.ts";
import { admitServiceAccount } from "../admission/service-account.ts";
import type { Strategy } from "../strategy.ts";
import { qosClass } from "./qos-class.ts";

function member(object: ApiObject, field: "spec" | "status"): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? value : {};
}

export const podStrategy: Strategy = {
  generation: true,
  returnsDeleted: true,
  initialStatus: (pod) => ({ phase: "Pending", qosClass: qosClass(member(pod, "spec")) }),
  async prepareForCreate(draft, context, scope) {
    const spec = member(draft, "spec");
    draft.spec = spec;
    admitPod(draft, (name) => {
      const found = context.store.get("priorityclasses.scheduling.k8s.io", name)?.object;
      return found as unknown as PriorityClass | undefined;
    });
    await admitServiceAccount(draft, context, scope);
  },
  prepareForUpdate(draft, old, _context, subresource) {
    if (subresource === "") {
      draft.spec = { ...member(draft, "spec") };
      tolerateLostNode(draft.spec);
    }
    if (subresource !== "status") return;
    // Old kubelets damaged these; a real server takes neither from a status update.
    if (old.metadata.ownerReferences === undefined) delete draft.metadata.ownerReferences;
    else draft.metadata.ownerReferences = old.metadata.ownerReferences;
    const status = member(draft, "status");
    const before = member(old, "status");
    draft.status = { ...status, qosClass: status.qosClass ?? before.qosClass ?? "BestEffort" };
    if (isDeepStrictEqual(draft.status, before)) draft.status = before;
  },
  gracePeriod(pod, asked) {
    const { nodeName, terminationGracePeriodSeconds } = member(pod, "spec");
    const { phase } = member(pod, "status");
    // Nobody runs it, or it has ended: there is nothing to wait for.
    if (!nodeName || phase === "Failed" || phase === "Succeeded") return 0;
    const period =
      asked ?? (typeof terminationGracePeriodSeconds === "number" ? terminationGracePeriodSeconds : 0);
    return period < 0 ? 1 : period;
  },
};
