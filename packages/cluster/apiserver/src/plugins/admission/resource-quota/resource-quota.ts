import { formatQuantity } from "@operator-path/client";
import { hasPodLevelResources } from "../../../kinds/core/pod/resources.ts";
import {
  addResources,
  equalResources,
  exceededResources,
  maskResources,
  type ResourceList,
  readResourceList,
  subtractResources,
  writeResourceList,
} from "../../../kinds/core/resource-list.ts";
import type { ApiObject, JsonObject } from "../../../lib/json/json.ts";
import { object, objects, text } from "../../../lib/json/read.ts";
import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
} from "../../../server/admission/admission.ts";
import { trackUpdate } from "../../../server/registry/field-tracking.ts";
import { serverOptions } from "../../../server/registry/options.ts";
import type { StoredObject } from "../../../server/storage/stored-object.ts";
import { isTerminating, matchesScopes } from "./scopes.ts";
import { isTracked, quotaNames, usageOf } from "./usage.ts";

/**
 * Keeps a namespace within its ResourceQuotas. Compares the usage of a request with their status, and adds it
 * there. The quota controller corrects that status. Without the controller, nothing is limited. Refuses with
 * 403.
 */
export const resourceQuota: AdmissionPlugin = {
  name: "ResourceQuota",
  charge(attributes, context) {
    const { store } = context;
    if (store.count("resourcequotas") === 0 || attributes.namespace === "" || !changesUsage(attributes))
      return undefined;
    const quotas = store.range("resourcequotas", { prefix: `${attributes.namespace}/` });
    // No quota is written before all of them have agreed.
    const charged = quotas.flatMap((quota) => charge(attributes, quota) ?? []);
    return () => {
      for (const { quota, used } of charged) writeUsage(attributes, context, quota, used);
    };
  },
};

/** Writes the usage as the server, not as the user of the request. */
function writeUsage(
  { namespace, request }: AdmissionAttributes,
  context: AdmissionContext,
  quota: StoredObject,
  used: ResourceList,
): void {
  const { object: old } = quota;
  const status = { ...object(old.status), used: writeResourceList(used) };
  const draft: ApiObject = { ...old, metadata: { ...old.metadata }, status };
  const type = context.registry.find("", "v1", "resourcequotas");
  if (type !== undefined) {
    const name = old.metadata.name ?? "";
    const scope = { type, collection: "resourcequotas", namespace, name, subresource: "status", request };
    trackUpdate(context, scope, draft, old, { ...serverOptions, fieldManager: "kube-apiserver" });
  }
  context.store.replace("resourcequotas", quota, draft);
}

const ignored = ["events", "bindings"];

/** Returns whether an update can change usage. Only a Service, a claim and the deadline of a Pod can. */
function changesUsage({ type, subresource, operation, object: item, old }: AdmissionAttributes): boolean {
  if (subresource !== "" || item === undefined || ignored.includes(type.plural)) return false;
  if (operation === "CREATE") return true;
  if (operation !== "UPDATE" || type.group !== "") return false;
  if (type.plural === "pods") return isTerminating(object(item.spec)) !== isTerminating(object(old?.spec));
  return type.plural === "services" || type.plural === "persistentvolumeclaims";
}

/** Returns the new usage of a quota, or undefined if the quota does not apply. @throws ApiStatusError 403 */
function charge(
  attributes: AdmissionAttributes,
  quota: StoredObject,
): { quota: StoredObject; used: ResourceList } | undefined {
  const { type, old } = attributes;
  const item = attributes.object as ApiObject;
  const spec = object(quota.object.spec);
  const status = object(quota.object.status);
  const hard = readResourceList(status.hard);
  const used = readResourceList(status.used);
  const tracked = Object.keys(hard).filter((name) => isTracked(type, name));
  if (tracked.length === 0 || !matchesScopes(spec, type, item)) return undefined;
  const name = quota.object.metadata.name as string;
  if (type.plural === "pods" && type.group === "")
    checkConstraints(attributes, name, tracked, object(item.spec));
  if (tracked.some((entry) => used[entry] === undefined)) {
    const names = tracked.sort().join(",");
    throw forbiddenBy(attributes, `status unknown for quota: ${name}, resources: ${names}`);
  }
  const before = old !== undefined && matchesScopes(spec, type, old) ? usageOf(type, old) : {};
  const delta = positive(subtractResources(usageOf(type, item), before));
  const requested = maskResources(delta, Object.keys(hard));
  const after = addResources(used, requested);
  const exceeded = exceededResources(maskResources(after, Object.keys(requested)), hard);
  if (exceeded.length > 0) {
    const show = (list: ResourceList) => print(maskResources(list, exceeded));
    const why = `exceeded quota: ${name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`;
    throw forbiddenBy(attributes, why);
  }
  return equalResources(used, after) ? undefined : { quota, used: after };
}

function positive(list: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([, { nano }]) => nano > 0n));
}

function print(list: ResourceList): string {
  const names = Object.keys(list).sort();
  return names.map((name) => `${name}=${formatQuantity(list[name] as ResourceList[string])}`).join(",");
}

const requiredResources = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/** Checks that each container states its CPU or memory if the quota limits it. */
function checkConstraints(
  attributes: AdmissionAttributes,
  quota: string,
  tracked: readonly string[],
  spec: JsonObject,
): void {
  if (hasPodLevelResources(spec)) return;
  const containers = [...objects(spec.containers), ...objects(spec.initContainers)].map((container) => {
    const { requests, limits } = object(container.resources);
    const stated = Object.keys(quotaNames(readResourceList(requests), readResourceList(limits)));
    return { name: text(container.name), stated };
  });
  const missing = requiredResources
    .filter((name) => tracked.includes(name))
    .sort()
    .map((name) => ({
      name,
      of: containers.filter(({ stated }) => !stated.includes(name)).map((container) => container.name),
    }))
    .filter(({ of }) => of.length > 0);
  if (missing.length === 0) return;
  const list = missing.map(({ name, of }) => `${name} for: ${[...new Set(of)].sort().join(",")}`).join("; ");
  throw forbiddenBy(attributes, `failed quota: ${quota}: must specify ${list}`);
}
