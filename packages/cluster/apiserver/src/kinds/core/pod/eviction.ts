import { badRequest } from "../../../apimachinery/errors.ts";
import { timestamp } from "../../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { admitUnstored, writeAttributes } from "../../../server/admission/attributes.ts";
import { checkPreconditions, type DeleteContext, deleteObject } from "../../../server/endpoints/delete.ts";
import type { DeleteOptions } from "../../../server/endpoints/delete-options.ts";
import { find } from "../../../server/endpoints/get.ts";
import { jsonReply, type WholeReply } from "../../../server/http/reply.ts";
import { decodeBody } from "../../../server/registry/decode-body.ts";
import { checkNamespace } from "../../../server/registry/metadata.ts";
import { parseWriteOptions } from "../../../server/registry/options.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import type { StoredObject } from "../../../server/storage/stored-object.ts";
import { takeDisruption } from "./disruption-budget.ts";

/** The parts of the server that evictions use. */
export type EvictionContext = DeleteContext;

/** Serves POST pods/x/eviction: deletes the Pod, unless its PodDisruptionBudget allows no disruption. */
export async function handleEviction(context: EvictionContext, scope: Scope): Promise<WholeReply> {
  const { request } = scope;
  const options = parseWriteOptions(request.query, "CreateOptions");
  const kind = { group: "policy", version: "v1", kind: "Eviction" };
  const eviction = await decodeBody(context, kind, request, options.fieldValidation);
  if (eviction.metadata.name !== scope.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  find(context, scope);
  checkNamespace(eviction, scope);
  await admitUnstored(context, writeAttributes(scope, "CREATE", eviction, undefined, options));
  const stored = find(context, scope);
  const how = deleteOptions(eviction, options.dryRun);
  checkPreconditions(scope.type, stored.object, how);
  takeDisruption(context, stored.object, how.dryRun);
  const victim = how.dryRun ? stored : markDisrupted(context, scope, stored);
  deleteObject(context, scope.type, victim, { ...how, preconditions: {} });
  return jsonReply(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

/** Records in the status why the Pod is deleted. A Job, for example, then does not count it as a failure. */
function markDisrupted(context: EvictionContext, scope: Scope, stored: StoredObject): StoredObject {
  const status = stored.object.status as JsonObject;
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter(isJsonObject) : [];
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(context.clock.now()),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const others = conditions.filter(({ type }) => type !== condition.type);
  const draft = { ...stored.object, status: { ...status, conditions: [...others, condition] } };
  return context.store.replace(scope.collection, stored, draft) ?? find(context, scope);
}

function deleteOptions(eviction: ApiObject, dryRun: boolean): DeleteOptions {
  const options = isJsonObject(eviction.deleteOptions) ? eviction.deleteOptions : {};
  const { gracePeriodSeconds } = options;
  const { uid, resourceVersion } = isJsonObject(options.preconditions) ? options.preconditions : {};
  return {
    dryRun: dryRun || (Array.isArray(options.dryRun) && options.dryRun.includes("All")),
    ...(typeof gracePeriodSeconds === "number" ? { gracePeriodSeconds } : {}),
    preconditions: {
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    },
  };
}
