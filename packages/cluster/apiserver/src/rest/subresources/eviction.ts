import { badRequest, tooManyRequests } from "../../errors.ts";
import { jsonReply, type WholeReply } from "../../http/reply.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../json.ts";
import { matchesLabelSelector } from "../../selectors/label-selector.ts";
import type { ApiContext, Scope } from "../context.ts";
import { deleteObject } from "../delete.ts";
import type { DeleteOptions } from "../delete-options.ts";
import { find } from "../get.ts";
import { parseWriteOptions } from "../options.ts";
import { decodeBody } from "../semantics.ts";

/** POST pods/x/eviction: deletes the Pod, unless a PodDisruptionBudget is used up. */
export async function handleEviction(context: ApiContext, scope: Scope): Promise<WholeReply> {
  const { request } = scope;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, "CreateOptions");
  const kind = { group: "policy", version: "v1", kind: "Eviction" };
  const eviction = await decodeBody(context, kind, request, fieldValidation);
  if (eviction.metadata.name !== scope.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const stored = find(context, scope);
  checkBudgets(context, scope, stored.object);
  deleteObject(context, scope.type, stored, deleteOptions(eviction, dryRun));
  return jsonReply(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

/** Pods that have ended, or are not ready, hold nothing up. @throws ApiStatusError 429 */
function checkBudgets(context: ApiContext, scope: Scope, pod: ApiObject): void {
  const { phase } = pod.status as JsonObject;
  if (phase === "Succeeded" || phase === "Failed" || phase === "Pending") return;
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const prefix = `${scope.namespace}/`;
  for (const { object: budget } of context.store.range("poddisruptionbudgets.policy", { prefix })) {
    const { selector } = (budget.spec ?? {}) as { selector?: JsonObject };
    if (!matchesLabelSelector(selector, pod.metadata.labels)) continue;
    const {
      disruptionsAllowed = 0,
      desiredHealthy = 0,
      currentHealthy = 0,
    } = (budget.status ?? {}) as {
      disruptionsAllowed?: number;
      desiredHealthy?: number;
      currentHealthy?: number;
    };
    if (disruptionsAllowed > 0) continue;
    const message = `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, [
      { reason: "DisruptionBudget", message },
    ]);
  }
}

function deleteOptions(eviction: ApiObject, dryRun: boolean): DeleteOptions {
  const options = isJsonObject(eviction.deleteOptions) ? eviction.deleteOptions : {};
  const { gracePeriodSeconds } = options;
  const { uid } = isJsonObject(options.preconditions) ? options.preconditions : {};
  return {
    dryRun: dryRun || (Array.isArray(options.dryRun) && options.dryRun.includes("All")),
    ...(typeof gracePeriodSeconds === "number" ? { gracePeriodSeconds } : {}),
    preconditions: typeof uid === "string" ? { uid } : {},
  };
}
